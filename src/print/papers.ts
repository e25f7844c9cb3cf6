// The papers that slips are printed on: an A4 sheet to be cut, two rolls of receipt printers, two common label sheets.
// All lengths are in millimetres.

import type { Paper } from '../domain/sites/paper.ts';

export const A4 = { width: 210, height: 297 };

export interface Sheet {
  kind: 'sheet';
  columns: number;
  /** The numbers of rows to try; the most that the content of the slips allows is used. */
  rows: number[];
  margin: { x: number; y: number };
  gap: number;
  /** Whether slips are cut apart, or are labels. */
  isCut: boolean;
}

/** Each slip is a page of its own, as high as its content. */
interface Roll {
  kind: 'roll';
  width: number;
}

export const PAPER_SHAPES: Record<Paper, Sheet | Roll> = {
  a4: { kind: 'sheet', columns: 2, rows: [5, 4, 3, 2], margin: { x: 8, y: 8 }, gap: 0, isCut: true },
  receipt: { kind: 'roll', width: 80 },
  'receipt-58': { kind: 'roll', width: 58 },
  // Avery L7160: 21 labels of 63.5 × 38.1.
  'labels-21': {
    kind: 'sheet',
    columns: 3,
    rows: [7],
    margin: { x: 7.25, y: 15.15 },
    gap: 2.5,
    isCut: false,
  },
  // Avery L7165: 8 labels of 99.1 × 67.7.
  'labels-8': { kind: 'sheet', columns: 2, rows: [4], margin: { x: 4.65, y: 13.1 }, gap: 2.5, isCut: false },
};
