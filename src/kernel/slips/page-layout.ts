// Lays out slips on pages: the position of each slip, and the cut marks. The browser and the PDF use the same layout.

import type { Box } from '../../platform/drawing/boxes.ts';
import { makeTypesetter, type Typesetter } from '../../platform/drawing/fonts.ts';
import type { OptionalPart, Paper } from './paper.ts';
import { A4, PAPER_SHAPES, type Sheet } from './papers.ts';
import type { PrintedSlip, PrintInput } from './printed-slip.ts';
import { layOutCell, layOutStrip, type SlipLayout } from './slip-layout.ts';
import type { Tools } from './slip-parts.ts';

/** After laying out this many slips, the layout pauses so that the thread can do other work. */
const LAID_OUT_AT_ONCE = 20;
const MARK_LENGTH = 3;

export interface Mark {
  from: [x: number, y: number];
  to: [x: number, y: number];
}

export interface PlacedSlip {
  slip: PrintedSlip;
  x: number;
  y: number;
  boxes: Box[];
}

export interface PrintedPage {
  width: number;
  height: number;
  slips: PlacedSlip[];
  marks: Mark[];
}

export interface Layout {
  pages: PrintedPage[];
  /** How many slips fit on a sheet; 1 on a roll. */
  perSheet: number;
  /** The size of a slip. On a roll, it is the size of the first slip. */
  cell: { width: number; height: number };
  /** The parts that were left out of slips because they did not fit. */
  leftOut: OptionalPart[];
  typesetter: Typesetter;
}

type Pause = () => Promise<unknown>;

type LayoutInput = Pick<PrintInput, 'slips' | 'logos' | 'paper'> & Partial<Pick<PrintInput, 'usedLabels'>>;

export async function layOutPages(
  { slips, logos, paper, usedLabels = 0 }: LayoutInput,
  pause: Pause = async () => undefined,
): Promise<Layout> {
  const tools: Tools = { typesetter: makeTypesetter(), logos, qrs: new Map() };
  const shape = PAPER_SHAPES[paper];
  const { typesetter } = tools;
  if (shape.kind === 'sheet')
    return { ...(await layOutSheets({ tools, slips, paper, shape, usedLabels }, pause)), typesetter };
  const pages: PrintedPage[] = [];
  for (const [index, slip] of slips.entries()) {
    if (index % LAID_OUT_AT_ONCE === 0) await pause();
    const { boxes, height } = layOutStrip(tools, slip, { paper, width: shape.width });
    pages.push({ width: shape.width, height, slips: [{ slip, x: 0, y: 0, boxes }], marks: [] });
  }
  const cell = { width: shape.width, height: pages[0]?.height ?? 0 };
  return { pages, perSheet: 1, cell, leftOut: [], typesetter };
}

interface SheetInput {
  tools: Tools;
  slips: PrintedSlip[];
  paper: Paper;
  shape: Sheet;
  usedLabels: number;
}

async function layOutSheets(input: SheetInput, pause: Pause): Promise<Omit<Layout, 'typesetter'>> {
  const { rows, layouts } = await fitRows(input, pause);
  const { slips, shape } = input;
  const perSheet = rows * shape.columns;
  const used = shape.isCut ? 0 : Math.min(input.usedLabels, perSheet - 1);
  const cells = cornersOf(shape, rows);
  const pages = Array.from({ length: Math.ceil((used + layouts.length) / perSheet) }, (_, page) => ({
    ...A4,
    marks: shape.isCut ? cutMarks(shape, rows) : [],
    slips: cells.flatMap(([x, y], place) => {
      const index = page * perSheet + place - used;
      const [slip, layout] = [slips[index], layouts[index]];
      return slip && layout ? [{ slip, x, y, boxes: layout.boxes }] : [];
    }),
  }));
  return {
    pages,
    perSheet,
    cell: cellOf(shape, rows),
    leftOut: [...new Set(layouts.flatMap(({ leftOut }) => leftOut))],
  };
}

/** Uses the first number of rows at which every slip fits. Only at the last number may slips lose optional parts. */
async function fitRows(
  { tools, slips, paper, shape }: SheetInput,
  pause: Pause,
): Promise<{ rows: number; layouts: SlipLayout[] }> {
  for (const rows of shape.rows) {
    const cell = { ...cellOf(shape, rows), isComplete: rows !== shape.rows.at(-1) };
    const layouts: SlipLayout[] = [];
    for (const [index, slip] of slips.entries()) {
      if (index % LAID_OUT_AT_ONCE === 0) await pause();
      const layout = layOutCell(tools, slip, { paper, cell });
      if (!layout) break;
      layouts.push(layout);
    }
    if (layouts.length === slips.length) return { rows, layouts };
  }
  throw new Error(`a slip does not fit on ${paper}`);
}

export function cellOf({ columns, margin, gap }: Sheet, rows: number): { width: number; height: number } {
  return {
    width: (A4.width - 2 * margin.x - gap * (columns - 1)) / columns,
    height: (A4.height - 2 * margin.y) / rows,
  };
}

/** The upper left corners of the cells, row by row. */
export function cornersOf(shape: Sheet, rows: number): [x: number, y: number][] {
  const { width, height } = cellOf(shape, rows);
  return Array.from({ length: rows * shape.columns }, (_, place) => [
    shape.margin.x + (place % shape.columns) * (width + shape.gap),
    shape.margin.y + Math.floor(place / shape.columns) * height,
  ]);
}

/** Small crosses at the corners of all slips. They show where to cut and need little ink. */
function cutMarks(shape: Sheet, rows: number): Mark[] {
  const { width, height } = cellOf(shape, rows);
  const marks: Mark[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= shape.columns; column++) {
      const [x, y] = [shape.margin.x + column * width, shape.margin.y + row * height];
      marks.push({ from: [x - MARK_LENGTH, y], to: [x + MARK_LENGTH, y] });
      marks.push({ from: [x, y - MARK_LENGTH], to: [x, y + MARK_LENGTH] });
    }
  return marks;
}
