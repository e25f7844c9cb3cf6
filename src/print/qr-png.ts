// Draws a QR code as a PNG with one bit per pixel. Mail programs show no SVG.

import { crc32, deflateSync } from 'node:zlib';
import encodeQR from 'qr';

/** The quiet zone that the standard asks for, because the background of a mail may be dark. */
const BORDER = 4;
/** Large enough for screens with small pixels. */
const PIXELS_PER_MODULE = 8;
const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export function makeQrPng(text: string): Buffer {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER });
  const size = modules.length * PIXELS_PER_MODULE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header[8] = 1;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(modules.flatMap(linesOf)), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A line begins with its filter, which is none. A module is one byte wide: all bits are 0 for black, 1 for white. */
function linesOf(row: boolean[]): Buffer[] {
  const line = Buffer.from([0, ...row.map((isDark) => (isDark ? 0x00 : 0xff))]);
  return Array.from({ length: PIXELS_PER_MODULE }, () => line);
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
