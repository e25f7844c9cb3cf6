// Writes a picture as the PNG that a CloudPRNT printer fetches.

import type { Bitmap } from '../../../platform/drawing/bitmap.ts';
import { writePng } from '../../../platform/drawing/png.ts';
import type { Printer } from '../printer.ts';

/** The dashed line between two copies, in dots. */
const DASH_ROWS = 2;
const SPACE_ROWS = 24;
/** Four bytes are 32 dots, of which half are black. */
const DASH = [0xff, 0xff, 0, 0];

/** A printer cuts the paper only after the picture. Copies are below each other, to be torn at a dashed line. */
export function writeCloudPrntJob(picture: Bitmap, { copies }: Pick<Printer, 'copies'>): Buffer {
  const line = dashedLine(picture.width);
  const parts = Array.from({ length: copies }, (_, copy) =>
    copy === 0 ? [picture] : [line, picture],
  ).flat();
  return writePng({
    width: picture.width,
    height: parts.reduce((sum, { height }) => sum + height, 0),
    bits: Buffer.concat(parts.map(({ bits }) => bits)),
  });
}

function dashedLine(width: number): Bitmap {
  const bytesPerRow = width / 8;
  const row = Buffer.from(Array.from({ length: bytesPerRow }, (_, at) => DASH[at % DASH.length] ?? 0));
  const blank = Buffer.alloc(SPACE_ROWS * bytesPerRow);
  return {
    width,
    height: 2 * SPACE_ROWS + DASH_ROWS,
    bits: Buffer.concat([blank, ...Array.from({ length: DASH_ROWS }, () => row), blank]),
  };
}
