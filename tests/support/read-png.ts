// Reads PNG files with one bit per pixel and without filters, and checks their checksums. A width that is no multiple
// of 8 is rounded up.

import assert from 'node:assert/strict';
import { crc32, inflateSync } from 'node:zlib';
import type { Bitmap } from '../../src/platform/drawing/bitmap.ts';

export function readPngBits(png: Buffer): Bitmap {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const named = png.subarray(at + 4, at + 8 + png.readUInt32BE(at));
    assert.equal(png.readUInt32BE(at + 4 + named.length), crc32(named));
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(0);
  const [width, height] = [8 * Math.ceil(header.readUInt32BE(0) / 8), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [1, 0, 0, 0, 0]);
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const lineLength = 1 + width / 8;
  assert.equal(lines.length, height * lineLength);
  const rows = Array.from({ length: height }, (_, y) => {
    assert.equal(lines[y * lineLength], 0);
    return lines.subarray(y * lineLength + 1, (y + 1) * lineLength);
  });
  // In a PNG, 0 is black.
  return { width, height, bits: Buffer.concat(rows).map((byte) => ~byte) };
}

/** Three or four bytes per dot, as QR readers want them. */
export function toPixels(
  { width, height, bits }: Bitmap,
  bytesPerDot: 3 | 4,
): { width: number; height: number; data: Uint8ClampedArray } {
  const data = new Uint8ClampedArray(width * height * bytesPerDot).fill(255);
  for (let dot = 0; dot < width * height; dot++)
    if ((bits[dot >> 3] ?? 0) & (0x80 >> (dot & 7))) data.fill(0, dot * bytesPerDot, dot * bytesPerDot + 3);
  return { width, height, data };
}
