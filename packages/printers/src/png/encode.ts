// Writes a picture as a PNG file of one bit per dot.

import { crc32, deflateSync } from 'node:zlib';
import { type Bitmap, rowsOf } from '../bitmap.ts';

export const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const GREYSCALE = 0;

export function encodePng(picture: Bitmap): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(picture.width, 0);
  header.writeUInt32BE(picture.height, 4);
  header.writeUInt8(1, 8); // bits per dot
  header.writeUInt8(GREYSCALE, 9);

  // Each row begins with its filter, 0 for none. In greyscale, 1 is white.
  const lines = [...rowsOf(picture)].map((row) => Buffer.from([0, ...row.map((byte) => ~byte)]));
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(lines))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
