// Lays out one slip. There are three designs: a card with the QR code beside the text, a strip of a roll with the QR
// code below the voucher code, and a small label with the voucher code at the top. The theme of the slip changes fonts
// and distances.

import { type Block, type Box, row, space, stack } from '../../platform/drawing/boxes.ts';
import { OPTIONAL_PARTS, type OptionalPart, type Paper } from './paper.ts';
import type { PrintedSlip } from './printed-slip.ts';
import { makeParts, type Sizes, type Tools } from './slip-parts.ts';
import { LOOKS, type Look } from './themes.ts';

export interface SlipLayout {
  boxes: Box[];
  height: number;
  leftOut: OptionalPart[];
}

const MM_PER_PT = 25.4 / 72;
/** The scales to try after all optional parts are left out. A slip that is hard to read is better than none. */
const LAST_SCALES = [1, 0.95, 0.9, 0.84, 0.75, 0.65, 0.55];

/** At this scale of the text and below, no additional white space is left. */
const AIRLESS = 0.84;

interface Design {
  template(attempt: LayoutAttempt): Block;
  /** The text scales to try before an optional part is left out or the sheet gets fewer rows. */
  scales: number[];
  margin: { x: number; y: number };
  /** Font sizes in points, other lengths in millimetres. */
  sizes: PaperSizes;
}

type PaperSizes = Omit<Sizes, 'password'>;

export interface LayoutAttempt {
  tools: Tools;
  slip: PrintedSlip;
  sizes: Sizes;
  width: number;
  leftOut: OptionalPart[];
}

const CARD = { title: 8, site: 12, name: 8.5, allowance: 8, fact: 8.5, label: 7.5, steps: 8, text: 7.5 };
const DESIGNS: Record<Paper, Design> = {
  a4: {
    template: card,
    scales: [1, 0.95, 0.9, 0.84],
    margin: { x: 6, y: 4 },
    sizes: { ...CARD, logo: { width: 50, height: 13 }, code: 22, caption: 6.3, qr: 26, gap: 1 },
  },
  'labels-8': {
    template: card,
    scales: [1, 0.95, 0.9, 0.84],
    margin: { x: 5.5, y: 4.5 },
    sizes: { ...CARD, logo: { width: 50, height: 16 }, code: 22, caption: 6.5, qr: 28, gap: 1.1 },
  },
  'labels-21': {
    template: tag,
    scales: [1, 0.95, 0.9],
    margin: { x: 2.6, y: 2.2 },
    sizes: {
      ...CARD,
      ...{ title: 6.5, site: 9, name: 7, allowance: 6.8, fact: 7.5, label: 6.3, steps: 6.7, text: 6.7 },
      ...{ logo: { width: 30, height: 6 }, code: 21, caption: 6, qr: 25, gap: 0.6 },
    },
  },
  receipt: {
    template: strip,
    scales: [1],
    margin: { x: 4, y: 4 },
    sizes: {
      ...{ title: 10, site: 15, name: 10, allowance: 10, fact: 12, label: 9, steps: 10, text: 9.5 },
      ...{ logo: { width: 62, height: 22 }, code: 29, caption: 8.5, qr: 36, gap: 1 },
    },
  },
  'receipt-58': {
    template: strip,
    scales: [1],
    margin: { x: 5, y: 4 },
    sizes: {
      ...{ title: 9, site: 12, name: 9, allowance: 9, fact: 10, label: 8, steps: 9, text: 8.5 },
      ...{ logo: { width: 46, height: 18 }, code: 20, caption: 7.5, qr: 32, gap: 1 },
    },
  },
};

/** A slip of a roll is as high as its content, in whole millimetres. */
export function layOutStrip(
  tools: Tools,
  slip: PrintedSlip,
  { paper, width }: { paper: Paper; width: number },
): SlipLayout {
  const { template, margin } = DESIGNS[paper];
  const block = template(attemptOn(tools, slip, { paper, width: width - 2 * margin.x, leftOut: [] }));
  return {
    boxes: block.at(margin.x, margin.y),
    height: Math.ceil(block.height + 2 * margin.y),
    leftOut: [],
  };
}

/** An attempt at the full size of the paper. */
export function attemptOn(
  tools: Tools,
  slip: PrintedSlip,
  { paper, width, leftOut }: { paper: Paper; width: number; leftOut: OptionalPart[] },
): LayoutAttempt {
  return { tools, slip, sizes: scaled(DESIGNS[paper].sizes, 1, LOOKS[slip.theme]), width, leftOut };
}

interface Cell {
  width: number;
  height: number;
  /** True if no part of the slip may be left out, because a higher cell will be tried next. */
  isComplete: boolean;
}

/**
 * Tries smaller texts, then fewer parts. Returns the first attempt that fits into the cell, centred vertically. If none
 * fits, returns undefined for a cell with `isComplete`, otherwise the last attempt, because every slip must be printed.
 */
export function layOutCell(
  tools: Tools,
  slip: PrintedSlip,
  { paper, cell }: { paper: Paper; cell: Cell },
): SlipLayout | undefined {
  const look = LOOKS[slip.theme];
  const { template, sizes, scales, margin: least } = DESIGNS[paper];
  let layout: SlipLayout | undefined;
  for (const { leftOut, scale } of attempts(scales, cell.isComplete ? 0 : OPTIONAL_PARTS.length)) {
    // A slip that can have a higher cell keeps its white space. Otherwise white space is given up before content.
    const air = template === tag ? 0 : cell.isComplete ? 1 : Math.max(0, (scale - AIRLESS) / (1 - AIRLESS));
    const airy = withAir(look, air);
    const margin = { x: least.x * airy.margin, y: least.y * airy.margin };
    const room = { width: cell.width - 2 * margin.x, height: cell.height - 2 * margin.y };
    const block = template({ tools, slip, sizes: scaled(sizes, scale, airy), width: room.width, leftOut });
    layout = {
      boxes: block.at(margin.x, margin.y + (room.height - block.height) / 2),
      height: cell.height,
      leftOut: leftOut.filter((part) => hasPart(slip, part)),
    };
    if (block.height <= room.height) return layout;
  }
  return cell.isComplete ? undefined : layout;
}

/** Reduces the additional white space of the look to the given share. */
function withAir(look: Look, share: number): Look {
  return { ...look, gap: 1 + (look.gap - 1) * share, margin: 1 + (look.margin - 1) * share };
}

function attempts(scales: number[], mostLeftOut: number): { leftOut: OptionalPart[]; scale: number }[] {
  return Array.from({ length: mostLeftOut + 1 }, (_, count) => OPTIONAL_PARTS.slice(0, count)).flatMap(
    (leftOut) => {
      const isLast = leftOut.length === OPTIONAL_PARTS.length;
      return (isLast ? LAST_SCALES : scales).map((scale) => ({ leftOut, scale }));
    },
  );
}

function hasPart(slip: PrintedSlip, part: OptionalPart): boolean {
  if (part === 'text') return slip.text !== '';
  if (part === 'steps') return slip.guides.some(({ steps }) => steps.length > 0);
  return slip.logo !== undefined || slip.title !== '';
}

/** The voucher code and the QR code keep their size, so that they stay readable. The logo shrinks faster than texts. */
function scaled(sizes: PaperSizes, scale: number, look: Look): Sizes {
  const font = (points: number) => points * MM_PER_PT * scale * look.font;
  return {
    logo: { width: sizes.logo.width, height: sizes.logo.height * scale ** 3 },
    title: font(sizes.title),
    site: font(sizes.site),
    name: font(sizes.name),
    code: sizes.code * MM_PER_PT * look.font,
    allowance: font(sizes.allowance),
    fact: font(sizes.fact),
    // Passwords are always in the same font.
    password: sizes.fact * MM_PER_PT * scale,
    label: font(sizes.label),
    steps: font(sizes.steps),
    text: font(sizes.text),
    caption: font(sizes.caption),
    qr: sizes.qr,
    gap: sizes.gap * scale * look.gap,
  };
}

function headOptions({ colour }: PrintedSlip, leftOut: OptionalPart[]) {
  return { isTitleLeftOut: leftOut.includes('title'), bandColour: colour };
}

/** The Wi-Fi facts to print. A fact that a printed step already contains is not repeated. */
export function factsOf(slip: PrintedSlip, leftOut: OptionalPart[]) {
  const hasSteps = hasPart(slip, 'steps') && !leftOut.includes('steps');
  return slip.wifi.filter(({ isInSteps }) => !(hasSteps && isInSteps));
}

function card({ tools, slip, sizes, width, leftOut }: LayoutAttempt): Block {
  const parts = makeParts(tools, slip, sizes);
  const qr = parts.qr({ hasCaption: true });
  const shape = { width: width - sizes.qr - qr.quiet - 2, align: 'left' } as const;
  const full = { width, align: 'left' } as const;
  const { hasBand } = LOOKS[slip.theme];
  const { logo, names } = parts.head(hasBand ? full : shape, headOptions(slip, leftOut));
  const middle = row(
    [
      {
        block: stack([
          ...logo,
          ...(hasBand ? [] : [...names, space(2 * sizes.gap)]),
          parts.code(shape),
          space(1.5 * sizes.gap),
          ...parts.allowances(shape),
          ...parts.facts(factsOf(slip, leftOut), shape),
        ]),
        x: 0,
      },
      { block: qr.block, x: width - sizes.qr },
    ],
    'middle',
  );
  return stack([
    ...(hasBand ? [...names, space(2 * sizes.gap + qr.quiet)] : []),
    middle,
    ...spaced(leftOut.includes('steps') ? [] : parts.steps(full), 2 * sizes.gap),
    ...spaced(leftOut.includes('text') ? [] : parts.ownText(full), 1.5 * sizes.gap),
  ]);
}

export function strip({ tools, slip, sizes, width }: LayoutAttempt): Block {
  const parts = makeParts(tools, slip, sizes);
  const shape = { width, align: 'center' } as const;
  const qr = parts.qr({ hasCaption: true });
  // Most rolls are printed in black only.
  const { logo, names } = parts.head(shape, { isTitleLeftOut: false, bandColour: '#000000' });
  return stack([
    ...logo,
    ...names,
    space(3 * sizes.gap),
    parts.code(shape),
    space(2 * sizes.gap),
    ...parts.allowances(shape),
    space(2 * sizes.gap + qr.quiet),
    row([{ block: qr.block, x: (width - qr.width) / 2 }]),
    ...parts.facts(factsOf(slip, []), shape),
    ...spaced(parts.steps(shape), 3 * sizes.gap),
    ...spaced(parts.ownText(shape), 3 * sizes.gap),
  ]);
}

/** A small label: the voucher code at the top, the QR code below it on the left, and the texts on the right. */
function tag({ tools, slip, sizes, width, leftOut }: LayoutAttempt): Block {
  const parts = makeParts(tools, slip, sizes);
  const qr = parts.qr({ hasCaption: false });
  const left = sizes.qr + Math.max(qr.quiet, 2.4) + 0.6;
  const shape = { width: width - left, align: 'left' } as const;
  const { logo, names } = parts.head(shape, headOptions(slip, leftOut));
  const words = stack([
    ...logo,
    ...names,
    space(sizes.gap),
    ...parts.allowances(shape),
    ...parts.facts(factsOf(slip, leftOut), shape),
    ...spaced(leftOut.includes('steps') ? [] : parts.steps({ ...shape, align: 'center' }), sizes.gap),
    ...spaced(leftOut.includes('text') ? [] : parts.ownText(shape), sizes.gap),
  ]);
  return stack([
    parts.code({ width, align: 'left' }),
    space(qr.quiet),
    row(
      [
        { block: qr.block, x: 0 },
        { block: words, x: left },
      ],
      'middle',
    ),
  ]);
}

export function spaced(blocks: Block[], gap: number): Block[] {
  return blocks.length === 0 ? [] : [space(gap), ...blocks];
}
