// Lays out the picture of a rolling code for displays of any size, such as e-paper. The code always fits; other parts
// are left out on displays that are too small for them. Sizes are given in dots.

import { DOTS_PER_MM } from '../../../platform/drawing/bitmap.ts';
import { type Block, type Box, space, stack, textBlock } from '../../../platform/drawing/boxes.ts';
import type { Cut, Typesetter } from '../../../platform/drawing/fonts.ts';
import { drawQr, type QrDrawing } from '../../../platform/drawing/qr.ts';
import type { Language } from '../../../platform/text/language.ts';
import type { LaidOutReceipt } from '../../printers/drawing/receipt-layout.ts';

/** The texts of a picture. */
export interface CodePicture {
  width: number;
  height: number;
  language: Language;
  /** Said at the top, for example that the code is only a sample. */
  mark: string | undefined;
  site: string;
  /** In groups of digits. Undefined while there is no code; then `message` says why. */
  code: string | undefined;
  message: string;
  /** What the code allows. Empty if there is no code. */
  allowance: string;
  /** The name of the Wi-Fi and its password, with their labels. */
  wifi: string[];
  qr: { text: string; caption: string } | undefined;
}

/** A text for browsers, or black and white dots for other displays. */
export type CodePictureForm = 'svg' | 'png';

export const MIN_PICTURE_SIZE = 100;
export const MAX_PICTURE_SIZE = 2_000;
/** The size of a common e-paper display. */
export const DEFAULT_PICTURE = { width: 800, height: 480 };

/** The width of a digit in the font of the code, in multiples of the font size. */
const DIGIT_WIDTH = 0.603;
const CODE_CUT: Cut = 'mono';
/** Smaller letters cannot be read on a display. */
const MIN_TEXT_DOTS = 10;
const MIN_CODE_DOTS = 15;
/** A camera needs more than one dot per module. */
const MIN_DOTS_PER_MODULE = 2;
/** The longest part of the picture that a QR code takes. */
const QR_PART = 0.48;

/** The parts that are left out one after the other until the rest fits. */
const OPTIONAL = ['caption', 'allowance', 'wifi', 'site', 'qr'] as const;
type OptionalPart = (typeof OPTIONAL)[number];

export function layOutCodePicture(typesetter: Typesetter, picture: CodePicture): LaidOutReceipt {
  const { width, height } = picture;
  const boxes = attempt(typesetter, picture, new Set()) ?? withoutParts(typesetter, picture);
  // A line of a bitmap ends with a whole byte.
  return { boxes, width: Math.ceil(width / 8) * 8, height };
}

function withoutParts(typesetter: Typesetter, picture: CodePicture): Box[] {
  const leftOut = new Set<OptionalPart>();
  for (const part of OPTIONAL) {
    leftOut.add(part);
    const boxes = attempt(typesetter, picture, leftOut);
    if (boxes) return boxes;
  }
  return attempt(typesetter, picture, leftOut, { isLast: true }) ?? [];
}

interface Room {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Undefined if the parts do not fit. */
function attempt(
  typesetter: Typesetter,
  picture: CodePicture,
  leftOut: ReadonlySet<OptionalPart>,
  { isLast = false } = {},
): Box[] | undefined {
  const { width, height } = picture;
  const least = Math.min(width, height);
  const margin = Math.max(3, Math.round(least * 0.035));
  const text = Math.max(MIN_TEXT_DOTS, Math.round(Math.min(least * 0.06, Math.max(width, height) * 0.045)));
  const whole = { x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin };
  const qr = leftOut.has('qr') ? undefined : picture.qr;
  const placed = qr && placeQr(typesetter, picture, { qr, whole, text, leftOut });
  if (qr && !placed) return undefined;
  const texts = stackTexts(typesetter, picture, { room: placed?.rest ?? whole, text, leftOut, isLast });
  return texts && [...texts, ...(placed?.boxes ?? [])];
}

interface QrPlan {
  qr: { text: string; caption: string };
  whole: Room;
  text: number;
  leftOut: ReadonlySet<OptionalPart>;
}

/** The QR code stands beside the texts on a wide picture, otherwise below them. */
function placeQr(
  typesetter: Typesetter,
  { width, height, language }: CodePicture,
  { qr, whole, text, leftOut }: QrPlan,
): { boxes: Box[]; rest: Room } | undefined {
  const isWide = width > 1.15 * height;
  const drawing = drawQr(qr.text);
  const captionOf = (room: number) =>
    leftOut.has('caption')
      ? space(0)
      : textBlock(typesetter, qr.caption, {
          role: 'caption',
          width: toMm(room),
          align: 'center',
          language,
          cut: 'plain',
          size: toMm(Math.max(MIN_TEXT_DOTS, text * 0.8)),
          maxLines: 2,
        });
  // The first size only serves to measure the caption.
  const roughCaption = toDots(captionOf(isWide ? QR_PART * whole.width : whole.width).height);
  const room = isWide
    ? Math.min(QR_PART * whole.width, whole.height - roughCaption)
    : Math.min(whole.width, QR_PART * whole.height - roughCaption);
  const scale = Math.floor(room / drawing.size);
  if (scale < MIN_DOTS_PER_MODULE) return undefined;
  const side = scale * drawing.size;
  const caption = captionOf(isWide ? side : whole.width);
  const taken = side + toDots(caption.height);
  if (isWide) {
    const x = whole.x + whole.width - side;
    const y = Math.round(whole.y + (whole.height - taken) / 2);
    return {
      boxes: [qrBox(qr.text, drawing, { x, y, side }), ...caption.at(toMm(x), toMm(y + side))],
      rest: { ...whole, width: whole.width - side - text },
    };
  }
  const y = Math.round(whole.y + whole.height - taken);
  const x = Math.round(whole.x + (whole.width - side) / 2);
  return {
    boxes: [qrBox(qr.text, drawing, { x, y, side }), ...caption.at(toMm(whole.x), toMm(y + side))],
    rest: { ...whole, height: whole.height - taken },
  };
}

function qrBox(text: string, drawing: QrDrawing, at: { x: number; y: number; side: number }): Box {
  const side = toMm(at.side);
  return { kind: 'qr', text, drawing, label: '', x: toMm(at.x), y: toMm(at.y), width: side, height: side };
}

interface TextPlan {
  room: Room;
  text: number;
  leftOut: ReadonlySet<OptionalPart>;
  /** Then the code is drawn as large as it fits, however small that is. */
  isLast: boolean;
}

function stackTexts(
  typesetter: Typesetter,
  picture: CodePicture,
  { room, text, leftOut, isLast }: TextPlan,
): Box[] | undefined {
  const line = (content: string, cut: Cut, size: number, maxLines = 1) =>
    textBlock(typesetter, content, {
      role: 'text',
      width: toMm(room.width),
      align: 'center',
      language: picture.language,
      cut,
      size: toMm(size),
      maxLines,
    });
  const { mark, site, allowance, wifi } = picture;
  const gap = space(toMm(text * 0.45));
  const above = [
    ...(mark === undefined ? [] : [line(mark, 'bold', text)]),
    ...(leftOut.has('site') || site === ''
      ? []
      : [line(site, 'bold', text * 1.15, leftOut.has('caption') ? 1 : 2)]),
  ];
  const below = [
    ...(leftOut.has('allowance') || allowance === '' ? [] : [line(allowance, 'plain', text, 2)]),
    ...(leftOut.has('wifi') ? [] : wifi.map((fact) => line(fact, 'plain', text, 2))),
  ];
  const others = stack([...above, gap, gap, ...below]);
  const left = room.height - toDots(others.height);
  const middle = middleOf(typesetter, picture, { width: room.width, height: left, text, isLast });
  if (!middle) return undefined;
  const content = stack([...above, gap, middle, gap, ...below]);
  const top = room.y + Math.max(0, (room.height - toDots(content.height)) / 2);
  return content.at(toMm(room.x), toMm(top));
}

interface Space {
  width: number;
  height: number;
  text: number;
  isLast: boolean;
}

/** The code as large as possible, in one or two lines; without a code, the message. */
function middleOf(typesetter: Typesetter, picture: CodePicture, room: Space): Block | undefined {
  const { code, message, language } = picture;
  const shape = { width: toMm(room.width), align: 'center', language } as const;
  if (code === undefined) {
    const maxLines = Math.max(1, Math.floor(room.height / (room.text * 1.6)));
    const said = textBlock(typesetter, message, {
      ...shape,
      role: 'text',
      cut: 'bold',
      size: toMm(room.text * 1.25),
      maxLines: Math.min(6, maxLines),
    });
    return room.isLast || toDots(said.height) <= room.height ? said : undefined;
  }
  const halves = inTwoLines(code);
  const single = codeSize([code], room);
  const double = codeSize(halves, room);
  // One line is easier to read, unless two lines make the digits much larger.
  const lines = single >= 0.75 * double ? [code] : halves;
  const size = Math.floor(Math.max(lines.length === 1 ? single : double, room.isLast ? 1 : 0));
  if (!room.isLast && size < Math.max(MIN_CODE_DOTS, room.text * 1.3)) return undefined;
  return stack(
    lines.map((part) =>
      textBlock(typesetter, part, { ...shape, role: 'code', cut: CODE_CUT, size: toMm(size), maxLines: 1 }),
    ),
  );
}

/** The largest font size at which all lines fit. A line of the font is 1.24 times as high as its size. */
function codeSize(lines: string[], { width, height }: Space): number {
  const longest = Math.max(...lines.map(({ length }) => length));
  return Math.min(width / (longest * DIGIT_WIDTH), height / (lines.length * 1.24));
}

/** Splits a code between two groups: `04827-15936` becomes `04827-` and `15936`. */
function inTwoLines(code: string): string[] {
  const groups = code.split('-');
  if (groups.length < 2) return [code];
  const first = Math.ceil(groups.length / 2);
  return [`${groups.slice(0, first).join('-')}-`, groups.slice(first).join('-')];
}

function toMm(dots: number): number {
  return dots / DOTS_PER_MM;
}

function toDots(millimetres: number): number {
  return millimetres * DOTS_PER_MM;
}
