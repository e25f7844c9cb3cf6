// A picture of black and white dots.

export interface Bitmap {
  /** In dots. */
  width: number;
  height: number;
  /** One bit per dot, row by row, each row filled up to whole bytes; 1 is black. The first dot is the highest bit. */
  bits: Uint8Array;
}

export const PAPERS = [58, 80] as const;
/** The width of the roll in mm. */
export type Paper = (typeof PAPERS)[number];
/** The printable width of each roll in dots, at 8 dots per mm. */
export const PAPER_DOTS: Record<Paper, number> = { 58: 384, 80: 576 };

export function* rowsOf({ width, height, bits }: Bitmap): Generator<Uint8Array> {
  const bytes = Math.ceil(width / 8);
  for (let y = 0; y < height; y++) yield bits.subarray(y * bytes, (y + 1) * bytes);
}
