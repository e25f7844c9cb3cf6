// Reads and writes the tables of font files. The formats are TrueType and WOFF; WOFF compresses each table separately.

import { deflateSync, inflateSync } from 'node:zlib';

/** The tables of a font by tag. */
export type FontTables = Map<string, Buffer>;

const TRUETYPE = 0x00010000;
const WOFF = 0x774f4646;
const HEAD = 12;
const ENTRY = 16;
const WOFF_HEAD = 44;
const WOFF_ENTRY = 20;

/** Reads the tables with the given tags, or all tables if no tags are given. Decompresses only these tables. */
export function readFontTables(file: Buffer, tags?: string[]): FontTables {
  const isWoff = file.readUInt32BE(0) === WOFF;
  const [head, entry] = isWoff ? [WOFF_HEAD, WOFF_ENTRY] : [HEAD, ENTRY];
  const tables: FontTables = new Map();
  for (let index = 0; index < file.readUInt16BE(isWoff ? 12 : 4); index++) {
    const from = head + entry * index;
    const tag = file.toString('latin1', from, from + 4);
    if (tags && !tags.includes(tag)) continue;
    const at = file.readUInt32BE(from + (isWoff ? 4 : 8));
    const length = file.readUInt32BE(from + 12);
    const stored = isWoff ? file.readUInt32BE(from + 8) : length;
    const bytes = file.subarray(at, at + stored);
    tables.set(tag, stored < length ? inflateSync(bytes) : bytes);
  }
  return tables;
}

export function writeTrueType(tables: FontTables): Buffer {
  const head = Buffer.alloc(HEAD + ENTRY * tables.size);
  head.writeUInt32BE(TRUETYPE, 0);
  head.writeUInt16BE(tables.size, 4);
  const parts: Buffer[] = [head];
  let [end, entry] = [head.length, HEAD];
  for (const [tag, bytes] of sorted(tables)) {
    head.write(tag, entry, 'latin1');
    head.writeUInt32BE(sumOf(bytes), entry + 4);
    head.writeUInt32BE(end, entry + 8);
    head.writeUInt32BE(bytes.length, entry + 12);
    parts.push(padded(bytes));
    end += padded(bytes).length;
    entry += ENTRY;
  }
  return Buffer.concat(parts);
}

export function writeWoff(tables: FontTables): Buffer {
  const head = Buffer.alloc(WOFF_HEAD + WOFF_ENTRY * tables.size);
  head.writeUInt32BE(WOFF, 0);
  head.writeUInt32BE(TRUETYPE, 4);
  head.writeUInt16BE(tables.size, 12);
  const parts: Buffer[] = [head];
  let [end, entry, unpacked] = [head.length, WOFF_HEAD, HEAD + ENTRY * tables.size];
  for (const [tag, bytes] of sorted(tables)) {
    const packed = deflateSync(bytes);
    const stored = packed.length < bytes.length ? packed : bytes;
    head.write(tag, entry, 'latin1');
    head.writeUInt32BE(end, entry + 4);
    head.writeUInt32BE(stored.length, entry + 8);
    head.writeUInt32BE(bytes.length, entry + 12);
    head.writeUInt32BE(sumOf(bytes), entry + 16);
    parts.push(padded(stored));
    end += padded(stored).length;
    unpacked += padded(bytes).length;
    entry += WOFF_ENTRY;
  }
  head.writeUInt32BE(end, 8);
  head.writeUInt32BE(unpacked, 16);
  return Buffer.concat(parts);
}

function sorted(tables: FontTables): [string, Buffer][] {
  return [...tables].sort(([one], [other]) => (one < other ? -1 : 1));
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}

function sumOf(bytes: Buffer): number {
  const words = padded(bytes);
  let sum = 0;
  for (let at = 0; at < words.length; at += 4) sum = (sum + words.readUInt32BE(at)) >>> 0;
  return sum;
}
