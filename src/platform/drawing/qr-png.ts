// Draws a QR code as a PNG with one bit per pixel. Mail programs show no SVG.

import encodeQR from 'qr';
import { writePng } from './png.ts';

/** The quiet zone that the standard asks for, because the background of a mail may be dark. */
const BORDER = 4;
/** Large enough for screens with small pixels. A line of a module is one byte. */
const PIXELS_PER_MODULE = 8;

export function makeQrPng(text: string): Buffer {
  const modules = encodeQR(text, 'raw', { ecc: 'medium', border: BORDER });
  const size = modules.length * PIXELS_PER_MODULE;
  return writePng({ width: size, height: size, bits: Buffer.concat(modules.flatMap(linesOf)) });
}

function linesOf(row: boolean[]): Buffer[] {
  const line = Buffer.from(row.map((isDark) => (isDark ? 0xff : 0x00)));
  return Array.from({ length: PIXELS_PER_MODULE }, () => line);
}
