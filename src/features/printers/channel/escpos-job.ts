// Writes a picture as ESC/POS commands.

import type { Bitmap } from '../../../platform/drawing/bitmap.ts';
import type { Printer } from '../printer.ts';

/** A printer with little memory begins to print before it has received the whole picture. */
const ROWS_PER_BAND = 128;

/** `ESC @`: clears what an earlier job may have left behind. */
const RESET = Buffer.from([0x1b, 0x40]);
/** `ESC a 1`: a picture that is narrower than the paper is centred. */
const CENTRE = Buffer.from([0x1b, 0x61, 1]);
/** `GS V 66 0`: feeds the paper to the cutter and cuts it. */
const CUT = Buffer.from([0x1d, 0x56, 66, 0]);
/** `ESC d 6`: feeds six lines, so that the paper can be torn off below the picture. */
const FEED = Buffer.from([0x1b, 0x64, 6]);

export function writeEscPosJob(
  picture: Bitmap,
  { copies, hasCutter }: Pick<Printer, 'copies' | 'hasCutter'>,
): Buffer {
  const copy = [...bandsOf(picture), hasCutter ? CUT : FEED];
  return Buffer.concat([RESET, CENTRE, ...Array.from({ length: copies }, () => copy).flat()]);
}

/** The picture in `GS v 0` commands. */
function bandsOf({ width, height, bits }: Bitmap): Buffer[] {
  const bytesPerRow = width / 8;
  return Array.from({ length: Math.ceil(height / ROWS_PER_BAND) }, (_, index) => {
    const first = index * ROWS_PER_BAND;
    const rows = Math.min(ROWS_PER_BAND, height - first);
    const head = Buffer.from([0x1d, 0x76, 0x30, 0, 0, 0, 0, 0]);
    head.writeUInt16LE(bytesPerRow, 4);
    head.writeUInt16LE(rows, 6);
    return Buffer.concat([head, bits.subarray(first * bytesPerRow, (first + rows) * bytesPerRow)]);
  });
}
