// The papers that slips are printed on: an A4 sheet to be cut, two receipt rolls and two common sheets of labels.
// All lengths are in millimetres.

import type { Paper } from './paper.ts';

export const A4 = { width: 210, height: 297 };

export interface Sheet {
  kind: 'sheet';
  columns: number;
  /** The possible numbers of rows, in the order in which they are tried. The first at which all slips fit is used. */
  rows: number[];
  margin: { x: number; y: number };
  gap: number;
  /** True if the sheet is cut into slips, false if it consists of labels. */
  isCut: boolean;
}

/** On a roll, each slip is a separate page. The height of the page depends on the content of the slip. */
interface Roll {
  kind: 'roll';
  width: number;
}

export const PAPER_SHAPES: Record<Paper, Sheet | Roll> = {
  a4: { kind: 'sheet', columns: 2, rows: [5, 4, 3, 2], margin: { x: 8, y: 8 }, gap: 0, isCut: true },
  receipt: { kind: 'roll', width: 80 },
  'receipt-58': { kind: 'roll', width: 58 },
  // Avery L7160: 21 labels of 63.5 × 38.1 mm.
  'labels-21': {
    kind: 'sheet',
    columns: 3,
    rows: [7],
    margin: { x: 7.25, y: 15.15 },
    gap: 2.5,
    isCut: false,
  },
  // Avery L7165: 8 labels of 99.1 × 67.7 mm.
  'labels-8': { kind: 'sheet', columns: 2, rows: [4], margin: { x: 4.65, y: 13.1 }, gap: 2.5, isCut: false },
};
