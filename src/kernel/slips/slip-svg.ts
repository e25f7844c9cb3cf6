// Writes the boxes of a slip as an SVG in dots, from which the picture for a receipt printer is drawn.

import { DOTS_PER_MM } from '../../platform/drawing/bitmap.ts';
import type { BandBox, Box, Line, LogoBox, QrBox, TextBox } from '../../platform/drawing/boxes.ts';
import { escapeXml } from '../../platform/drawing/escape-xml.ts';
import type { FontName, Typesetter } from '../../platform/drawing/fonts.ts';
import { makeOutlineLine, type OutlineLine } from '../../platform/drawing/outline-line.ts';
import { fontAttributes } from '../../platform/drawing/resvg.ts';
import { hasRightToLeft } from '../../platform/drawing/right-to-left.ts';
import type { PrintInput } from './printed-slip.ts';

const BLACK = '#000000';

interface Sheet {
  boxes: Box[];
  /** In dots. */
  width: number;
  height: number;
  logos: PrintInput['logos'];
}

export interface DrawnSvg {
  svg: string;
  fonts: Set<FontName>;
}

export function writeSlipSvg(typesetter: Typesetter, { boxes, width, height, logos }: Sheet): DrawnSvg {
  const fonts = new Set<FontName>();
  const pen = { typesetter, fonts, logos, outlineLine: makeOutlineLine(typesetter) };
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" xml:space="preserve"><rect width="${width}" height="${height}" fill="#ffffff"/>${boxes.map((box) => drawBox(pen, box)).join('')}</svg>`,
    fonts,
  };
}

interface Pen {
  typesetter: Typesetter;
  /** The fonts that the SVG needs. */
  fonts: Set<FontName>;
  logos: PrintInput['logos'];
  outlineLine: OutlineLine;
}

function drawBox(pen: Pen, box: Box): string {
  if (box.kind === 'text') return box.lines.map((line) => drawLine(pen, box, line)).join('');
  if (box.kind === 'qr') return drawQrCode(box);
  return box.kind === 'band' ? drawBand(box) : drawLogo(pen, box);
}

function drawLine(
  { typesetter, fonts, outlineLine }: Pen,
  box: TextBox,
  { text, x, y, width }: Line,
): string {
  const fill = `fill="${box.colour ?? BLACK}"`;
  // A baseline between two rows of dots would blur all letters.
  const baseline = Math.round(toDots(y));
  if (hasRightToLeft(text)) {
    const { path, scale, indent } = outlineLine(text, { ...box, width });
    const place = `translate(${toDots(x + indent)} ${baseline}) scale(${toDots(scale.x)} ${toDots(scale.y)})`;
    return `<path ${fill} transform="${place}" d="${path}"/>`;
  }
  const spans = placeWords(typesetter, box, { text, x }).map(({ font, word, left }) => {
    fonts.add(font);
    return `<tspan ${fontAttributes(font)} x="${short(toDots(left))}">${escapeXml(word)}</tspan>`;
  });
  return `<text y="${baseline}" font-size="${short(toDots(box.size))}" ${fill}>${spans.join('')}</text>`;
}

/**
 * Each word begins where the layout measured it. Within a word, letters may be closer together than measured, because
 * the layout does not know which pairs of letters are.
 */
function placeWords(
  typesetter: Typesetter,
  { cut, size }: TextBox,
  { text, x }: Pick<Line, 'text' | 'x'>,
): { font: FontName; word: string; left: number }[] {
  let end = x;
  return typesetter.splitRuns(text, cut).flatMap(({ font, text: part }) =>
    part.split(/(?<=\s)/).map((word) => {
      const left = end;
      for (const sign of word) end += typesetter.widthIn(font, sign) * size;
      return { font, word: word.trimEnd(), left };
    }),
  );
}

/** The edges of the modules are between two dots. */
function drawQrCode({ drawing, x, y, width }: QrBox): string {
  const scale = Math.round(toDots(width)) / drawing.size;
  const place = `translate(${Math.round(toDots(x))} ${Math.round(toDots(y))}) scale(${scale})`;
  return `<path fill="${BLACK}" shape-rendering="crispEdges" transform="${place}" d="${drawing.path}"/>`;
}

function drawBand({ x, y, width, height, radius, colour }: BandBox): string {
  const [left, top, right, bottom] = [x, y, x + width, y + height].map((at) => Math.round(toDots(at)));
  const size = `width="${(right ?? 0) - (left ?? 0)}" height="${(bottom ?? 0) - (top ?? 0)}"`;
  return `<rect x="${left}" y="${top}" ${size} rx="${toDots(radius)}" fill="${colour}"/>`;
}

/** An image that cannot be read is left out. */
function drawLogo({ logos }: Pen, { name, x, y, width, height }: LogoBox): string {
  const place = `x="${toDots(x)}" y="${toDots(y)}" width="${toDots(width)}" height="${toDots(height)}"`;
  return `<image ${place} href="${logos.get(name)?.source ?? ''}"/>`;
}

function toDots(millimetres: number): number {
  return millimetres * DOTS_PER_MM;
}

/** Rounds to hundredths of a dot. */
function short(dots: number): number {
  return Math.round(dots * 100) / 100;
}
