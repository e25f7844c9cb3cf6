// Makes the parts of a slip as blocks: logo or title, headings, code, allowance, Wi-Fi, QR code, steps and text.

import { type Block, row, space, stack, type TextRole, TIGHT_LINE_HEIGHT, textBlock } from './boxes.ts';
import type { Cut, Typesetter } from './fonts.ts';
import type { Guide, Logo, PrintedSlip, WifiFact } from './printed-slip.ts';
import { drawQr, QR_BORDER, type QrDrawing } from './qr.ts';

/** The sizes of the parts of a slip in millimetres. For texts this is the font size. */
export interface Sizes {
  logo: { width: number; height: number };
  title: number;
  site: number;
  name: number;
  code: number;
  allowance: number;
  fact: number;
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
}

interface Shape {
  width: number;
  align: 'left' | 'center';
}

/** If the available width is smaller, labels are printed in the first language of the slip only. */
const MIN_LABEL_WIDTH = 40;

interface QrPart {
  block: Block;
  /** The width of the quiet zone on each side. */
  quiet: number;
}

export function makeParts({ typesetter, logos, qrs }: Tools, slip: PrintedSlip, sizes: Sizes) {
  const { language } = slip;
  return { logoOrTitle, headings, code, allowances, facts, qr, steps, ownText };

  function text(
    content: string,
    role: TextRole,
    style: Shape & { cut: Cut; size: number; maxLines?: number },
  ) {
    return textBlock(typesetter, content, { role, language, ...style });
  }

  function logoOrTitle(shape: Shape): Block[] {
    const logo = slip.logo === undefined ? undefined : logos.get(slip.logo);
    if (logo) return [logoBlock(slip, logo, shape), space(sizes.gap)];
    if (slip.title === '') return [];
    return [text(slip.title, 'title', { ...shape, cut: 'plain', size: sizes.title, maxLines: 1 })];
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

  function headings(shape: Shape): Block[] {
    return [
      text(slip.site, 'site', { ...shape, cut: 'bold', size: sizes.site, maxLines: 2 }),
      text(slip.name, 'name', { ...shape, cut: 'plain', size: sizes.name, maxLines: 2 }),
    ];
  }

  /** The voucher code in one line. If it is too long for the line, its font size is reduced. */
  function code(shape: Shape): Block {
    const width = typesetter.widthOf(slip.code, { cut: 'mono', size: sizes.code });
    const size = sizes.code * Math.min(1, (shape.width - 0.1) / width);
    return textBlock(typesetter, slip.code, {
      ...shape,
      role: 'code',
      cut: 'mono',
      size,
      lineHeight: TIGHT_LINE_HEIGHT,
    });
  }

  function allowances(shape: Shape): Block[] {
    return slip.guides.map((guide) =>
      textBlock(typesetter, guide.allowance, {
        ...shape,
        role: 'allowance',
        language: guide.language,
        cut: 'plain',
        size: sizes.allowance,
      }),
    );
  }

  /** Each label is in front of its value, or above it if the text is centred. */
  function facts(wifi: WifiFact[], shape: Shape): Block[] {
    const label = { cut: 'plain', size: sizes.label } as const;
    const labelOf = ({ labels }: WifiFact) =>
      (shape.width < MIN_LABEL_WIDTH ? labels.slice(0, 1) : labels).join(' · ');
    const blocks = wifi.map((fact) => ({
      name: (own: Shape) => text(labelOf(fact), 'label', { ...own, ...label }),
      value: (own: Shape) =>
        text(fact.value, fact.isPassword ? 'password' : 'wifi', {
          ...own,
          cut: fact.isPassword ? 'mono' : 'bold',
          size: sizes.fact,
        }),
    }));
    if (shape.align === 'center')
      return blocks.flatMap(({ name, value }) => [space(sizes.gap), name(shape), value(shape)]);
    const widths = wifi.map((fact) => typesetter.widthOf(labelOf(fact), label));
    const indent = Math.max(0, ...widths) + 2 * sizes.gap;
    return blocks.flatMap(({ name, value }) => [
      space(sizes.gap / 2),
      row([
        // The space above the smaller label puts label and value on the same baseline.
        { block: stack([space((sizes.fact - sizes.label) * 0.98), name({ ...shape, width: indent })]), x: 0 },
        { block: value({ ...shape, width: shape.width - indent }), x: indent },
      ]),
    ]);
  }

  /** The block is as wide as the QR code without its quiet zone. The quiet zone extends beyond the block. */
  function qr({ hasCaption }: { hasCaption: boolean }): QrPart {
    const drawing = qrs.get(slip.qr.text) ?? drawQr(slip.qr.text);
    qrs.set(slip.qr.text, drawing);
    const square = sizes.qr / (drawing.size - 2 * QR_BORDER);
    const quiet = square * QR_BORDER;
    const width = square * drawing.size;
    const code: Block = {
      height: sizes.qr,
      at: (x, y) => [
        {
          kind: 'qr',
          text: slip.qr.text,
          label: slip.qr.caption.replaceAll('\n', ' · '),
          drawing,
          x: x - quiet,
          y: y - quiet,
          width,
          height: width,
        },
      ],
    };
    if (!hasCaption) return { block: code, quiet };
    const caption = text(slip.qr.caption, 'caption', {
      width: sizes.qr + 2 * quiet,
      align: 'center',
      cut: 'plain',
      size: sizes.caption,
    });
    return {
      block: stack([code, space(quiet), row([{ block: caption, x: -quiet }])]),
      quiet,
    };
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
    const style = { cut: 'plain', size: sizes.steps, role: 'steps', language: guide.language } as const;
    const indent = typesetter.widthOf('8. ', style);
    return stack(
      guide.steps.map((step, index) =>
        row([
          {
            block: textBlock(typesetter, `${index + 1}.`, { ...style, cut: 'bold', width: indent }),
            x: 0,
          },
          { block: textBlock(typesetter, step, { ...style, width: width - indent }), x: indent },
        ]),
      ),
    );
  }

  function ownText(shape: Shape): Block[] {
    return slip.text === '' ? [] : [text(slip.text, 'text', { ...shape, cut: 'plain', size: sizes.text })];
  }
}
