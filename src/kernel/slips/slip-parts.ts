// Makes the parts of a slip as blocks: logo, title, headings, code, allowance, Wi-Fi, QR code, steps and text.

import {
  type Block,
  band,
  row,
  space,
  stack,
  type TextRole,
  textBlock,
} from '../../platform/drawing/boxes.ts';
import { baselineOf, type Cut, type TextStyle, type Typesetter } from '../../platform/drawing/fonts.ts';
import { inkOn } from '../../platform/drawing/ink-on.ts';
import { drawQr, QR_BORDER, type QrDrawing } from '../../platform/drawing/qr.ts';
import type { Guide, Logo, PrintedSlip, WifiFact } from './printed-slip.ts';
import { LOOKS } from './themes.ts';

/** The sizes of the parts of a slip in millimetres. For texts this is the font size. */
export interface Sizes {
  logo: { width: number; height: number };
  title: number;
  site: number;
  name: number;
  code: number;
  allowance: number;
  fact: number;
  password: number;
  label: number;
  steps: number;
  text: number;
  caption: number;
  /** The width of the QR code without its quiet zone. */
  qr: number;
  gap: number;
}

export interface Tools {
  typesetter: Typesetter;
  logos: Map<string, Logo>;
  /** The QR codes drawn so far, by their text. Slips with the same text share one drawing. */
  qrs: Map<string, QrDrawing>;
  /** If the slip is printed in dots: the modules of its QR codes then consist of whole dots. */
  dotsPerMm?: number;
}

interface Shape {
  width: number;
  align: 'left' | 'center';
  colour?: string;
}

/** Cameras read a smaller QR code less well. In millimetres. */
const MIN_QR_WIDTH = 25;
/** If the available width is smaller, labels are printed in the first language of the slip only. */
const MIN_LABEL_WIDTH = 40;
/** Between a label and its value, so that a password has room for one line. */
const MAX_LABEL_GAP = 2.2;

/** A name may have more lines on a roll, which is as long as necessary. There, texts are centred. */
function maxLinesOf({ align }: Shape): number {
  return align === 'center' ? 3 : 2;
}

/** Between the number of a step and its text, in multiples of the font size. */
const MIN_STEP_GAP = 0.17;

interface HeadOptions {
  isTitleLeftOut: boolean;
  bandColour: string;
}

interface QrPart {
  block: Block;
  /** The width of the QR code without its quiet zone. */
  width: number;
  /** The width of the quiet zone on each side. */
  quiet: number;
}

export function makeParts({ typesetter, logos, qrs, dotsPerMm }: Tools, slip: PrintedSlip, sizes: Sizes) {
  const { language } = slip;
  const { cuts } = LOOKS[slip.theme];
  return { head, code, allowances, facts, qr, steps, ownText };

  function text(
    content: string,
    role: TextRole,
    style: Shape & { cut: Cut; size: number; maxLines?: number },
  ) {
    return textBlock(typesetter, content, { role, language, ...style });
  }

  /**
   * The logo or the title of the installation, unless it is left out, and the names of site and voucher. With the
   * theme `strong`, the texts are on a band in the given colour.
   */
  function head(
    shape: Shape,
    { isTitleLeftOut, bandColour }: HeadOptions,
  ): { logo: Block[]; names: Block[] } {
    const found = slip.logo === undefined || isTitleLeftOut ? undefined : logos.get(slip.logo);
    const { hasBand } = LOOKS[slip.theme];
    const logo = found ? [logoBlock(slip, found, shape), space((hasBand ? 2 : 1) * sizes.gap)] : [];
    const names = (own: Shape) => [
      ...(found || isTitleLeftOut || slip.title === '' ? [] : [title(own)]),
      ...(found && slip.logoHasName ? [] : [site(own)]),
      text(slip.name, 'name', { ...own, cut: cuts.plain, size: sizes.name, maxLines: maxLinesOf(own) }),
    ];
    if (!hasBand) return { logo, names: names(shape) };
    const padding = { x: 2.6 * sizes.gap, y: 1.3 * sizes.gap };
    const inner = { ...shape, width: shape.width - 2 * padding.x, colour: inkOn(bandColour) };
    return { logo, names: [band(stack(names(inner)), { width: shape.width, padding, colour: bandColour })] };
  }

  function title(shape: Shape): Block {
    return text(slip.title, 'title', { ...shape, cut: cuts.plain, size: sizes.title, maxLines: 1 });
  }

  function site(shape: Shape): Block {
    return text(slip.site, 'site', {
      ...shape,
      cut: cuts.site,
      size: sizes.site,
      maxLines: maxLinesOf(shape),
    });
  }

  /** Makes the logo as large as the available space allows, without changing its proportions. */
  function logoBlock({ logo: name = '', title, site }: PrintedSlip, logo: Logo, shape: Shape): Block {
    const room = { width: Math.min(shape.width, sizes.logo.width), height: sizes.logo.height };
    const scale = Math.min(room.width / logo.width, room.height / logo.height);
    const [width, height] = [logo.width * scale, logo.height * scale];
    const left = shape.align === 'center' ? (shape.width - width) / 2 : 0;
    const label = title || site;
    return { height, at: (x, y) => [{ kind: 'logo', name, label, x: x + left, y, width, height }] };
  }

  /** The voucher code in one line. If it is too long for the line, its font size is reduced. */
  function code(shape: Shape): Block {
    const width = typesetter.widthOf(slip.code, { cut: cuts.code, size: sizes.code });
    const size = sizes.code * Math.min(1, (shape.width - 0.1) / width);
    return textBlock(typesetter, slip.code, {
      ...shape,
      role: 'code',
      cut: cuts.code,
      size,
      isTight: true,
    });
  }

  function allowances(shape: Shape): Block[] {
    return slip.guides.map((guide) =>
      textBlock(typesetter, guide.allowance, {
        ...shape,
        role: 'allowance',
        language: guide.language,
        cut: cuts.plain,
        size: sizes.allowance,
      }),
    );
  }

  /** Each label is in front of its value, or above it if the text is centred. */
  function facts(wifi: WifiFact[], shape: Shape): Block[] {
    const label = { cut: cuts.plain, size: sizes.label };
    const labelOf = ({ labels }: WifiFact) =>
      (shape.width < MIN_LABEL_WIDTH ? labels.slice(0, 1) : labels).join(' · ');
    const blocks = wifi.map((fact) => {
      const style: TextStyle = fact.isPassword
        ? { cut: 'mono', size: sizes.password }
        : { cut: cuts.bold, size: sizes.fact };
      return {
        name: (own: Shape) => text(labelOf(fact), 'label', { ...own, ...label }),
        value: (own: Shape) => text(fact.value, fact.isPassword ? 'password' : 'wifi', { ...own, ...style }),
        lower: baselineOf(style) - baselineOf(label),
      };
    });
    if (shape.align === 'center')
      return blocks.flatMap(({ name, value }) => [space(sizes.gap), name(shape), value(shape)]);
    const widths = wifi.map((fact) => typesetter.widthOf(labelOf(fact), label));
    const indent = Math.max(0, ...widths) + Math.min(2 * sizes.gap, MAX_LABEL_GAP);
    return blocks.flatMap(({ name, value, lower }) => [
      space(sizes.gap / 2),
      row([
        // The space above the smaller label puts label and value on the same baseline.
        { block: stack([space(lower), name({ ...shape, width: indent })]), x: 0 },
        { block: value({ ...shape, width: shape.width - indent }), x: indent },
      ]),
    ]);
  }

  /** The block is as wide as the QR code without its quiet zone. The quiet zone extends beyond the block. */
  function qr({ hasCaption }: { hasCaption: boolean }): QrPart {
    const drawing = qrs.get(slip.qr.text) ?? drawQr(slip.qr.text);
    qrs.set(slip.qr.text, drawing);
    const modules = drawing.size - 2 * QR_BORDER;
    const square = squareOf(modules);
    const [own, quiet, whole] = [square * modules, square * QR_BORDER, square * drawing.size];
    const code: Block = {
      height: own,
      at: (x, y) => [
        {
          kind: 'qr',
          text: slip.qr.text,
          label: slip.qr.caption.replaceAll('\n', ' · '),
          drawing,
          x: x - quiet,
          y: y - quiet,
          width: whole,
          height: whole,
        },
      ],
    };
    if (!hasCaption) return { block: code, width: own, quiet };
    const caption = text(slip.qr.caption, 'caption', {
      width: whole,
      align: 'center',
      cut: cuts.plain,
      size: sizes.caption,
    });
    return {
      block: stack([code, space(quiet), row([{ block: caption, x: -quiet }])]),
      width: own,
      quiet,
    };
  }

  /** The width of a module. A QR code of whole dots may be a little larger, so that it has the least width. */
  function squareOf(modules: number): number {
    if (dotsPerMm === undefined) return sizes.qr / modules;
    const fitting = Math.floor((sizes.qr * dotsPerMm) / modules);
    const least = Math.ceil((MIN_QR_WIDTH * dotsPerMm) / modules);
    return Math.max(fitting, least) / dotsPerMm;
  }

  /** The steps in two languages are placed side by side. If the text is centred, they are one below the other. */
  function steps({ width, align }: Shape): Block[] {
    const guides = slip.guides.filter((guide) => guide.steps.length > 0);
    if (align === 'center' || guides.length < 2)
      return guides.flatMap((guide, index) => [
        space(index === 0 ? 0 : 2 * sizes.gap),
        stepList(guide, width),
      ]);
    const between = 4;
    const own = (width - between * (guides.length - 1)) / guides.length;
    return [row(guides.map((guide, index) => ({ block: stepList(guide, own), x: index * (own + between) })))];
  }

  function stepList(guide: Guide, width: number): Block {
    const style = { cut: cuts.plain, size: sizes.steps, role: 'steps', language: guide.language } as const;
    const number = typesetter.widthOf('8.', { ...style, cut: cuts.bold });
    const indent = Math.max(typesetter.widthOf('8. ', style), number + MIN_STEP_GAP * sizes.steps);
    return stack(
      guide.steps.map((step, index) =>
        row([
          {
            block: textBlock(typesetter, `${index + 1}.`, { ...style, cut: cuts.bold, width: indent }),
            x: 0,
          },
          { block: textBlock(typesetter, step, { ...style, width: width - indent }), x: indent },
        ]),
      ),
    );
  }

  function ownText(shape: Shape): Block[] {
    return slip.text === '' ? [] : [text(slip.text, 'text', { ...shape, cut: cuts.plain, size: sizes.text })];
  }
}
