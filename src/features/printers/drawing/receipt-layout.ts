// Lays out a slip for a receipt printer, as wide as the printable area of its roll. All lengths are in millimetres.

import type { OptionalPart, Paper } from '../../../kernel/slips/paper.ts';
import type { PrintedSlip } from '../../../kernel/slips/printed-slip.ts';
import { attemptOn, factsOf, type LayoutAttempt, strip } from '../../../kernel/slips/slip-layout.ts';
import { makeParts, type Tools } from '../../../kernel/slips/slip-parts.ts';
import { LOOKS } from '../../../kernel/slips/themes.ts';
import { DOTS_PER_MM, ROLL_DOTS } from '../../../platform/drawing/bitmap.ts';
import { type Block, type Box, band, row, space, stack, textBlock } from '../../../platform/drawing/boxes.ts';
import { inkOn } from '../../../platform/drawing/ink-on.ts';
import type { PrinterLayout, RollWidth } from '../printer.ts';

/** Beside the content, so that no letter touches the edge of the printable area. */
export const EDGE = 1;
/** A printer leaves more than a centimetre free above a slip, but cuts close to its end. */
const MARGIN = { top: 1, bottom: 3 };
const BLACK = '#000000';

const PAPERS: Record<RollWidth, Paper> = { 80: 'receipt', 58: 'receipt-58' };

interface Design {
  template(attempt: LayoutAttempt): Block;
  leftOut: OptionalPart[];
}

const DESIGNS: Record<PrinterLayout, Design> = {
  full: { template: strip, leftOut: [] },
  compact: { template: compact, leftOut: ['text', 'steps', 'title'] },
  code: { template: codeOnly, leftOut: ['text', 'steps', 'title'] },
};

/** If the slip is narrower, its QR code has no room beside the text. */
const MIN_WIDTH_FOR_COLUMNS = 60;
/** The width of a QR code that saves paper. */
const COMPACT_QR = 26;
const COLUMN_GAP = 3;

export interface Receipt {
  slip: PrintedSlip;
  paper: RollWidth;
  layout: PrinterLayout;
  /** What is printed above the slip in large letters, for example that it is a copy. */
  mark: string | undefined;
}

export interface LaidOutReceipt {
  boxes: Box[];
  /** In whole dots. */
  width: number;
  height: number;
}

export function layOutReceipt(tools: Tools, { slip, paper, layout, mark }: Receipt): LaidOutReceipt {
  const { template, leftOut } = DESIGNS[layout];
  const width = contentWidth(paper);
  const attempt = attemptOn(tools, slip, { paper: PAPERS[paper], width, leftOut });
  return place(stack([...(mark === undefined ? [] : markBlock(attempt, mark)), template(attempt)]), paper);
}

export function contentWidth(paper: RollWidth): number {
  return ROLL_DOTS[paper] / DOTS_PER_MM - 2 * EDGE;
}

export function place(content: Block, paper: RollWidth): LaidOutReceipt {
  return {
    boxes: content.at(EDGE, MARGIN.top),
    width: ROLL_DOTS[paper],
    height: Math.ceil((content.height + MARGIN.top + MARGIN.bottom) * DOTS_PER_MM),
  };
}

/** White letters on a black band, which differ from everything else on the slip. */
function markBlock({ tools, slip, sizes, width }: LayoutAttempt, mark: string): Block[] {
  const padding = { x: 2, y: 1 };
  const text = textBlock(tools.typesetter, mark, {
    role: 'mark',
    width: width - 2 * padding.x,
    align: 'center',
    language: slip.language,
    cut: LOOKS[slip.theme].cuts.bold,
    size: sizes.site,
    maxLines: 1,
    colour: inkOn(BLACK),
  });
  return [band(text, { width, padding, colour: BLACK }), space(3)];
}

/** The QR code beside the text, or above it on a narrow roll. */
function compact({ tools, slip, sizes, width, leftOut }: LayoutAttempt): Block {
  const parts = makeParts(tools, slip, { ...sizes, qr: COMPACT_QR });
  const whole = { width, align: 'center' } as const;
  const { names } = parts.head(whole, { isTitleLeftOut: true, bandColour: BLACK });
  const qr = parts.qr({ hasCaption: true });
  const isWide = width >= MIN_WIDTH_FOR_COLUMNS;
  const left = isWide ? qr.width + 2 * qr.quiet + COLUMN_GAP : 0;
  const beside = { ...whole, width: width - left };
  const allowances = parts.allowances(beside);
  const facts = parts.facts(factsOf(slip, leftOut), beside);
  const columns = [
    { block: qr.block, x: qr.quiet },
    { block: stack([...allowances, ...facts]), x: left },
  ];
  const gap = space(2 * sizes.gap + qr.quiet);
  return stack([
    ...names,
    space(2 * sizes.gap),
    parts.code(whole),
    ...(isWide
      ? [gap, row(columns, 'middle')]
      : [
          space(2 * sizes.gap),
          ...allowances,
          gap,
          row([{ block: qr.block, x: (width - qr.width) / 2 }]),
          ...facts,
        ]),
  ]);
}

/** What a guest needs to type the code, without a QR code. */
function codeOnly({ tools, slip, sizes, width, leftOut }: LayoutAttempt): Block {
  const parts = makeParts(tools, slip, sizes);
  const shape = { width, align: 'left' } as const;
  const { names } = parts.head(shape, { isTitleLeftOut: true, bandColour: BLACK });
  const facts = factsOf(slip, leftOut);
  // On a narrow roll, a label in two languages would leave little room for its value.
  const labelled =
    width < MIN_WIDTH_FOR_COLUMNS
      ? facts.map((fact) => ({ ...fact, labels: fact.labels.slice(0, 1) }))
      : facts;
  return stack([
    ...names,
    space(2 * sizes.gap),
    parts.code({ width, align: 'center' }),
    space(2 * sizes.gap),
    ...parts.allowances(shape),
    ...parts.facts(labelled, shape),
  ]);
}
