// Lays out, measures and draws one slip in a PDF. On an A4 sheet the QR code is beside the text; on a roll it is below
// the text.

import type { Paper, PrintedSlip, PrintOrder, WifiFact } from './printed-slip.ts';
import { drawQr, QR_BORDER, type QrDrawing } from './qr.ts';
import { slipWidthMm } from './sheet.ts';
import { type Pen, space, stack, type TextBlock, type TextStyle, textBlock, widthOf } from './text-block.ts';

export const PT_PER_MM = 72 / 25.4;
const mm = (millimetres: number) => millimetres * PT_PER_MM;

export const ROLL_WIDTH_MM = 80;

/** The width of the QR code without its quiet zone: large enough for phone cameras. */
const QR_MM: Record<Paper, number> = { a4: 26, receipt: 34 };
const SIZES = {
  a4: { logo: [46, 9], title: 8, site: 11.5, name: 8.5, code: 20, allowance: 8.5, text: 8 },
  receipt: { logo: [56, 14], title: 9, site: 14, name: 9.5, code: 26, allowance: 10, text: 9.5 },
} as const;
const GAP = mm(1);

export interface SlipDrawing {
  heightMm: number;
  /** On A4, the content is centred vertically in `heightMm` if it is given. A roll ignores `heightMm`. */
  draw(xMm: number, yMm: number, heightMm?: number): void;
}

export interface SlipPen extends Pen {
  paper: Paper;
  logos: PrintOrder['logos'];
  /** Keyed by text: slips of the same site share one Wi-Fi QR code. */
  qrs: Map<string, QrDrawing>;
}

export function makeSlipDrawing(pen: SlipPen, slip: PrintedSlip): SlipDrawing {
  return pen.paper === 'a4' ? besideQr(pen, slip) : aboveQr(pen, slip);
}

function besideQr(pen: SlipPen, slip: PrintedSlip): SlipDrawing {
  const [edgeX, edgeY, between] = [mm(6), mm(5), mm(4)];
  const width = mm(slipWidthMm()) - 2 * edgeX;
  const qr = qrBlock(pen, slip);
  const words = stack(wordsOf(pen, slip, { width: width - qr.width - between, align: 'left' }));
  const text = slip.text && textBlock(pen, slip.text, { width, cut: 'plain', size: SIZES.a4.text });
  const upper = Math.max(words.height, qr.height);
  const height = upper + (text ? text.height + mm(3) : 0);
  return {
    heightMm: (height + 2 * edgeY) / PT_PER_MM,
    draw(xMm, yMm, heightMm) {
      const left = mm(xMm) + edgeX;
      const top = mm(yMm) + (heightMm === undefined ? edgeY : (mm(heightMm) - height) / 2);
      words.draw(left, top + (upper - words.height) / 2);
      qr.draw(left + width - qr.width, top + (upper - qr.height) / 2);
      if (text) text.draw(left, top + upper + mm(3));
    },
  };
}

function aboveQr(pen: SlipPen, slip: PrintedSlip): SlipDrawing {
  const [edgeX, edgeY] = [mm(4), mm(5)];
  const width = mm(ROLL_WIDTH_MM) - 2 * edgeX;
  const qr = qrBlock(pen, slip);
  const centred = {
    height: qr.height,
    draw: (x: number, y: number) => qr.draw(x + (width - qr.width) / 2, y),
  };
  const all = stack([
    ...wordsOf(pen, slip, { width, align: 'center' }),
    space(mm(2)),
    centred,
    ...(slip.text
      ? [
          space(mm(3)),
          textBlock(pen, slip.text, { width, align: 'center', cut: 'plain', size: SIZES.receipt.text }),
        ]
      : []),
  ]);
  return {
    heightMm: (all.height + 2 * edgeY) / PT_PER_MM,
    draw: (xMm, yMm) => all.draw(mm(xMm) + edgeX, mm(yMm) + edgeY),
  };
}

interface Shape {
  width: number;
  align: 'left' | 'center';
}

function wordsOf(pen: SlipPen, slip: PrintedSlip, shape: Shape): TextBlock[] {
  const sizes = SIZES[pen.paper];
  const block = (text: string, cut: 'plain' | 'bold' | 'mono', size: number) =>
    textBlock(pen, text, { ...shape, cut, size });
  const codeWidth = widthOf(pen, slip.code, { cut: 'mono', size: sizes.code });
  return [
    logoBlock(pen, slip, shape) ?? block(slip.title, 'plain', sizes.title),
    space(GAP),
    block(slip.site, 'bold', sizes.site),
    block(slip.name, 'plain', sizes.name),
    space(2 * GAP),
    block(slip.code, 'mono', sizes.code * Math.min(1, (shape.width - 1) / codeWidth)),
    space(GAP),
    block(slip.allowance, 'plain', sizes.allowance),
    ...wifiBlocks(pen, slip, shape),
  ];
}

/** On an A4 sheet each label is in front of its value; on a roll it is above the value. */
function wifiBlocks(pen: SlipPen, { wifi }: PrintedSlip, shape: Shape): TextBlock[] {
  const { title, allowance: size } = SIZES[pen.paper];
  const small: TextStyle = { cut: 'plain', size: title - 0.5 };
  const styleOf = ({ isPassword }: WifiFact): TextStyle => ({ cut: isPassword ? 'mono' : 'bold', size });
  if (shape.align === 'center')
    return wifi.flatMap((fact) => [
      space(GAP),
      textBlock(pen, fact.label, { ...shape, ...small }),
      textBlock(pen, fact.value, { ...shape, ...styleOf(fact) }),
    ]);
  const indent = Math.max(0, ...wifi.map(({ label }) => widthOf(pen, label, small))) + mm(2);
  return wifi.flatMap((fact) => {
    const label = textBlock(pen, fact.label, { ...shape, ...small });
    const value = textBlock(pen, fact.value, { ...styleOf(fact), width: shape.width - indent });
    const draw: TextBlock['draw'] = (x, y) => {
      label.draw(x, y + size - small.size);
      value.draw(x + indent, y);
    };
    return [space(GAP), { height: value.height, draw }];
  });
}

/** PDFKit embeds an image that is passed as a string only once, no matter how many slips use it. */
function logoBlock(
  { document, paper, logos }: SlipPen,
  { logo }: PrintedSlip,
  { width, align }: Shape,
): TextBlock | undefined {
  const source = logo === undefined ? undefined : logos.get(logo);
  if (!source) return undefined;
  const [maxWidth, height] = SIZES[paper].logo.map(mm);
  const fit: [number, number] = [Math.min(width, maxWidth ?? width), height ?? 0];
  const left = align === 'center' ? (width - fit[0]) / 2 : 0;
  return {
    height: fit[1],
    draw: (x, y) =>
      void document.image(source, x + left, y, {
        fit,
        ...(align === 'center' && { align }),
        valign: 'center',
      }),
  };
}

interface QrBlock extends TextBlock {
  width: number;
}

function qrBlock(pen: SlipPen, { qr }: PrintedSlip): QrBlock {
  const drawing = pen.qrs.get(qr.text) ?? drawQr(qr.text);
  pen.qrs.set(qr.text, drawing);
  const square = mm(QR_MM[pen.paper]) / (drawing.size - 2 * QR_BORDER);
  const width = square * drawing.size;
  const caption = textBlock(pen, qr.caption, { width, align: 'center', cut: 'plain', size: 7 });
  return {
    width,
    height: width + caption.height,
    draw(x, y) {
      fillQr(pen, drawing, { x, y, square });
      caption.draw(x, y + width);
    },
  };
}

function fillQr(
  { document }: Pen,
  { path }: QrDrawing,
  { x, y, square }: { x: number; y: number; square: number },
): void {
  document.save().translate(x, y).scale(square).path(path).fill('#000').restore();
}
