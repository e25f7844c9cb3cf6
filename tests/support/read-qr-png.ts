// Reads the QR code in a PNG of `makeQrPng`, as a camera reads it.

import assert from 'node:assert/strict';
import { crc32, inflateSync } from 'node:zlib';
import decodeQR from 'qr/decode.js';

export function readQrPng(png: Buffer): string {
  return decodeQR(pixelsOf(png));
}

/** Reads a PNG with one bit per pixel and without filters, and checks its checksums. */
function pixelsOf(png: Buffer): { width: number; height: number; data: Uint8Array } {
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const named = png.subarray(at + 4, at + 8 + png.readUInt32BE(at));
    assert.equal(png.readUInt32BE(at + 4 + named.length), crc32(named));
    chunks.set(named.toString('latin1', 0, 4), named.subarray(4));
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(0);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [1, 0, 0, 0, 0]);
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const lineLength = 1 + width / 8;
  assert.equal(lines.length, height * lineLength);
  const isWhite = (x: number, y: number) => (lines[y * lineLength + 1 + (x >> 3)] ?? 0) & (0x80 >> (x & 7));
  const data = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    data.fill(isWhite(pixel % width, Math.floor(pixel / width)) ? 255 : 0, pixel * 3, pixel * 3 + 3);
  return { width, height, data };
}
