// Writes PNG files with one bit per pixel.

import { crc32, deflateSync } from 'node:zlib';
import type { Bitmap } from './bitmap.ts';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** `shownWidth`: for an image that ends within the last byte of each line. */
export function writePng({ width, height, bits }: Bitmap, shownWidth = width): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(shownWidth, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 1;
  const bytesPerLine = width / 8;
  // Each line begins with the number of its filter. 0 is none.
  const lines = Buffer.alloc(height * (1 + bytesPerLine));
  for (let y = 0; y < height; y++)
    for (let at = 0; at < bytesPerLine; at++)
      // In a PNG, 0 is black.
      lines[y * (1 + bytesPerLine) + 1 + at] = ~(bits[y * bytesPerLine + at] ?? 0);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
