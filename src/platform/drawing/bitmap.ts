// A picture of black and white dots, as receipt printers print it.

export interface Bitmap {
  /** In dots, a multiple of 8. */
  width: number;
  height: number;
  /** One bit per dot, row by row from the top left; 1 is black. The first dot is the highest bit. */
  bits: Uint8Array;
}

/**
 * 203 dpi, the resolution of most receipt printers. Printers with 180 dpi have 512 dots on an 80 mm roll: they print
 * what is drawn for a 58 mm roll, a little larger.
 */
export const DOTS_PER_MM = 8;
/** The printable width of each roll, in dots. */
export const ROLL_DOTS = { 58: 384, 80: 576 } as const;
