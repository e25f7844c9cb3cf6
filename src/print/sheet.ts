// The layout of slips on an A4 sheet: two columns, as many rows as the content allows, and cut marks.

export const A4 = { widthMm: 210, heightMm: 297 };
const MARGIN_MM = 8;
const COLUMNS = 2;
const MAX_ROWS = 5;
const MARK_MM = 3;

export interface Grid {
  rows: number;
  perSheet: number;
  slip: { widthMm: number; heightMm: number };
}

export interface Line {
  from: [xMm: number, yMm: number];
  to: [xMm: number, yMm: number];
}

/** All slips of a document have the same height, which is enough for the tallest slip. */
export function gridFor(tallestMm: number): Grid {
  const room = A4.heightMm - 2 * MARGIN_MM;
  const rows = Math.min(MAX_ROWS, Math.max(1, Math.floor(room / tallestMm)));
  return {
    rows,
    perSheet: rows * COLUMNS,
    slip: { widthMm: slipWidthMm(), heightMm: room / rows },
  };
}

export function slipWidthMm(): number {
  return (A4.widthMm - 2 * MARGIN_MM) / COLUMNS;
}

/** The upper left corner of the slip at this position on its sheet. */
export function cornerOf({ slip }: Grid, place: number): [xMm: number, yMm: number] {
  const [row, column] = [Math.floor(place / COLUMNS), place % COLUMNS];
  return [MARGIN_MM + column * slip.widthMm, MARGIN_MM + row * slip.heightMm];
}

/** Small crosses at the corners of all slips: enough to align a ruler, with very little ink. */
export function cutMarks({ rows, slip }: Grid): Line[] {
  const marks: Line[] = [];
  for (let row = 0; row <= rows; row++)
    for (let column = 0; column <= COLUMNS; column++) {
      const [x, y] = [MARGIN_MM + column * slip.widthMm, MARGIN_MM + row * slip.heightMm];
      marks.push({ from: [x - MARK_MM, y], to: [x + MARK_MM, y] });
      marks.push({ from: [x, y - MARK_MM], to: [x, y + MARK_MM] });
    }
  return marks;
}
