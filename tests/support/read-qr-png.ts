// Reads the QR code in a PNG of `makeQrPng`, as a camera reads it.

import decodeQR from 'qr/decode.js';
import { readPngBits, toPixels } from './read-png.ts';

export function readQrPng(png: Buffer): string {
  return decodeQR(toPixels(readPngBits(png), 3));
}
