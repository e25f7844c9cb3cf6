// Makes a screenshot small enough for a repository: the same image with a palette of 256 colours. Reads only what
// browsers write, 8 bits for each of three or four channels.

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const COLOURS = 256;

interface Picture {
  width: number;
  height: number;
  /** Three bytes for each pixel. */
  pixels: Buffer;
}

export function withPalette(png: Buffer): Buffer {
  const { width, height, pixels } = read(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts.keys()]
    .sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
    .slice(0, COLOURS);
  const nearest = new Map([...counts.keys()].map((colour) => [colour, indexOfNearest(palette, colour)]));

  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      rows[y * (width + 1) + 1 + x] = nearest.get(pixels.readUIntBE((y * width + x) * 3, 3)) ?? 0;
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channelsOf))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function channelsOf(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

function indexOfNearest(palette: number[], colour: number): number {
  const [red, green, blue] = channelsOf(colour);
  const distances = palette
    .map(channelsOf)
    .map(([r, g, b]) => (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2);
  return distances.indexOf(Math.min(...distances));
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

function read(png: Buffer): Picture {
  const [width, height, channels] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25] === 6 ? 4 : 3];
  const packed: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      packed.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const lines = unfilter(inflateSync(Buffer.concat(packed)), width * channels, channels);
  const pixels = Buffer.alloc(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++)
    lines.copy(pixels, pixel * 3, pixel * channels, pixel * channels + 3);
  return { width, height, pixels };
}

/** Reverses the PNG filters: each line names the filter that predicted its bytes from their neighbours. */
function unfilter(filtered: Buffer, lineLength: number, step: number): Buffer {
  const height = filtered.length / (lineLength + 1);
  const lines = Buffer.alloc(height * lineLength);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < lineLength; x++) {
      const at = y * lineLength + x;
      const left = x >= step ? (lines[at - step] ?? 0) : 0;
      const above = y > 0 ? (lines[at - lineLength] ?? 0) : 0;
      const corner = x >= step && y > 0 ? (lines[at - lineLength - step] ?? 0) : 0;
      const guess = guessOf(filtered[y * (lineLength + 1)] ?? 0, left, above, corner);
      lines[at] = (filtered[at + y + 1] ?? 0) + guess;
    }
  return lines;
}

function guessOf(kind: number, left: number, above: number, corner: number): number {
  if (kind === 0) return 0;
  if (kind === 1) return left;
  if (kind === 2) return above;
  if (kind === 3) return (left + above) >> 1;
  const toLeft = Math.abs(above - corner);
  const toAbove = Math.abs(left - corner);
  const toCorner = Math.abs(left + above - 2 * corner);
  if (toLeft <= toAbove && toLeft <= toCorner) return left;
  return toAbove <= toCorner ? above : corner;
}
