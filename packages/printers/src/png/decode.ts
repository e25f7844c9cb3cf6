// Reads a PNG file as black and white dots. It knows what receipt printers get: no interlacing, at most 8 bits per
// value.

import { crc32, inflateSync } from 'node:zlib';
import type { Bitmap } from '../bitmap.ts';
import { PNG_SIGNATURE } from './encode.ts';

/** Values per dot of each colour type: greyscale, RGB, palette, greyscale with alpha, RGB with alpha. */
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;
const MAX_DOTS = 50_000_000;

interface Header {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  channels: number;
}

/** Throws an Error if the file is not a PNG that is understood. */
export function decodePng(file: Buffer): Bitmap {
  const chunks = readChunks(file);
  const header = readHeader(chunks);
  const palette = chunks.find(({ type }) => type === 'PLTE')?.data ?? Buffer.alloc(0);
  const packed = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data);
  const rows = unfilter(inflateSync(Buffer.concat(packed)), header);
  const rowBytes = Math.ceil(header.width / 8);
  const bits = new Uint8Array(rowBytes * header.height);
  for (const [y, row] of rows.entries())
    for (let x = 0; x < header.width; x++)
      if (isBlack(row, x, header, palette)) {
        const index = y * rowBytes + (x >> 3);
        bits[index] = (bits[index] ?? 0) | (0x80 >> (x & 7));
      }
  return { width: header.width, height: header.height, bits };
}

function readChunks(file: Buffer): { type: string; data: Buffer }[] {
  if (!file.subarray(0, 8).equals(PNG_SIGNATURE)) throw new Error('not a PNG file');
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    const type = file.toString('latin1', at + 4, at + 8);
    if (crc32(file.subarray(at + 4, end)) !== file.readUInt32BE(end))
      throw new Error(`wrong checksum of ${type}`);
    chunks.push({ type, data: file.subarray(at + 8, end) });
    at = end + 4;
  }
  if (chunks.at(-1)?.type !== 'IEND') throw new Error('the PNG file has no end');
  return chunks;
}

function readHeader([first]: { type: string; data: Buffer }[]): Header {
  if (first?.type !== 'IHDR') throw new Error('the PNG file has no header');
  const { data } = first;
  const width = data.readUInt32BE(0);
  const height = data.readUInt32BE(4);
  const [depth = 0, colourType = -1, , , interlacing] = data.subarray(8);
  const channels = CHANNELS[colourType];
  const isDepthKnown = depth === 8 || ([1, 2, 4].includes(depth) && channels === 1);
  if (!channels || !isDepthKnown || interlacing !== 0)
    throw new Error('a kind of PNG that is not understood');
  if (width * height > MAX_DOTS) throw new Error('the picture is too large');
  return { width, height, depth, colourType, channels };
}

/** Each row is stored as differences to the dot on the left and to the row above, in one of five ways. */
function unfilter(data: Buffer, { width, height, depth, channels }: Header): Buffer[] {
  const length = Math.ceil((width * depth * channels) / 8);
  const distance = Math.max(1, (depth * channels) / 8);
  if (data.length !== (length + 1) * height) throw new Error('the PNG file has too few or too many rows');
  const rows: Buffer[] = [];
  let above: Buffer = Buffer.alloc(length);
  for (let y = 0; y < height; y++) {
    const start = y * (length + 1);
    const filter = data[start] ?? 0;
    const row = Buffer.from(data.subarray(start + 1, start + 1 + length));
    for (let x = 0; x < length; x++) {
      const left = row[x - distance] ?? 0;
      const corner = above[x - distance] ?? 0;
      row[x] = (row[x] ?? 0) + predict(filter, left, above[x] ?? 0, corner);
    }
    rows.push(row);
    above = row;
  }
  return rows;
}

function predict(filter: number, left: number, above: number, corner: number): number {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  if (filter !== 4) throw new Error('unknown filter in the PNG file');
  const guess = left + above - corner;
  const [toLeft, toAbove, toCorner] = [left, above, corner].map((value) => Math.abs(guess - value));
  if (Number(toLeft) <= Number(toAbove) && Number(toLeft) <= Number(toCorner)) return left;
  return Number(toAbove) <= Number(toCorner) ? above : corner;
}

/** Dark dots are black. What is transparent shows the paper. */
function isBlack(row: Buffer, x: number, { depth, colourType, channels }: Header, palette: Buffer): boolean {
  const first = x * channels;
  const value = depth === 8 ? (row[first] ?? 0) : smallValue(row, x, depth);
  if (colourType === PALETTE) return isDark(palette.subarray(value * 3, value * 3 + 3));
  if (channels === 1) return value * 2 < 2 ** depth - 1;
  const hasAlpha = channels % 2 === 0;
  const colours = row.subarray(first, first + channels - (hasAlpha ? 1 : 0));
  return isDark(colours, hasAlpha ? row[first + channels - 1] : 255);
}

function smallValue(row: Buffer, x: number, depth: number): number {
  const bit = x * depth;
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & (2 ** depth - 1);
}

function isDark(colours: Uint8Array, alpha = 255): boolean {
  const brightness = colours.reduce((sum, colour) => sum + colour, 0) / Math.max(1, colours.length);
  return (brightness * alpha + 255 * (255 - alpha)) / 255 < 128;
}
