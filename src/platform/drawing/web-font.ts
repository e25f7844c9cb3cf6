// Makes the fonts with which the browser shows slips. To keep the files small, they contain only the glyphs of Latin,
// Greek and Cyrillic letters and of common signs. The browser shows other characters in a font of its own.

import { type FontTables, readFontTables, writeWoff } from './font-file.ts';
import { readMetrics, tableOf } from './font-metrics.ts';

const RANGES = [
  [0x20, 0x7e],
  [0xa0, 0x17f],
  [0x218, 0x21b],
  [0x386, 0x3ce],
  [0x401, 0x45f],
  [0x490, 0x491],
  [0x1e9e, 0x1e9e],
  [0x2010, 0x203a],
  [0x20ac, 0x20ac],
  [0x2190, 0x2193],
] as const;
/** True if the reduced font contains all characters of the text. */
export function isInWebFont(text: string): boolean {
  for (const sign of text) {
    const codePoint = sign.codePointAt(0) ?? 0;
    if (!RANGES.some(([first, last]) => codePoint >= first && codePoint <= last)) return false;
  }
  return true;
}

const KEPT = ['OS/2', 'cvt ', 'fpgm', 'prep', 'gasp'];
/** A font table `name` without names: the licences reserve the names of the fonts for the unchanged files. */
const NO_NAMES = Buffer.from([0, 0, 0, 0, 0, 6]);
/** Version 3 of the font table `post`. This version contains no glyph names. */
const POST_VERSION = 0x00030000;
const POST_BYTES = 32;

/** Flags in the TrueType record of a component of a composite glyph. */
const HAS_WORDS = 0x1;
const HAS_SCALE = 0x8;
const HAS_MORE = 0x20;
const HAS_TWO_SCALES = 0x40;
const HAS_MATRIX = 0x80;

/** Makes the reduced font. Glyphs keep their numbers, and unused glyphs get an empty outline. */
export function makeWebFont(file: Buffer): Buffer {
  const tables = readFontTables(file);
  const { glyphOf } = readMetrics(file);
  const outlineOf = makeOutlineOf(tables);
  const glyphs = RANGES.flatMap(([first, last]) =>
    Array.from({ length: last - first + 1 }, (_, index) => ({
      codePoint: first + index,
      glyph: glyphOf(first + index),
    })),
  ).filter(({ glyph }) => glyph !== 0);
  const used = new Set([0, ...glyphs.map(({ glyph }) => glyph)]);
  // A loop over a Set also visits values that are added during the loop, so components of components are found.
  for (const glyph of used) for (const part of componentsOf(outlineOf(glyph))) used.add(part);

  const count = Math.max(...used) + 1;
  const outlines = Array.from({ length: count }, (_, glyph) =>
    used.has(glyph) ? outlineOf(glyph) : Buffer.alloc(0),
  );
  const widths = Math.min(count, tableOf(tables, 'hhea').readUInt16BE(34));
  const post = Buffer.from(tableOf(tables, 'post').subarray(0, POST_BYTES));
  post.writeUInt32BE(POST_VERSION, 0);
  const own: FontTables = new Map([
    ['head', withNumber(tableOf(tables, 'head'), 50, 1)],
    ['hhea', withNumber(tableOf(tables, 'hhea'), 34, widths)],
    ['maxp', withNumber(tableOf(tables, 'maxp'), 4, count)],
    ['hmtx', tableOf(tables, 'hmtx').subarray(0, 4 * widths + 2 * (count - widths))],
    ['post', post],
    ['name', NO_NAMES],
    ['cmap', cmapOf(glyphs)],
    ['glyf', Buffer.concat(outlines)],
    ['loca', locaOf(outlines)],
  ]);
  for (const tag of KEPT) own.set(tag, tableOf(tables, tag));
  return writeWoff(own);
}

function makeOutlineOf(tables: FontTables): (glyph: number) => Buffer {
  const [loca, glyf] = [tableOf(tables, 'loca'), tableOf(tables, 'glyf')];
  const isLong = tableOf(tables, 'head').readInt16BE(50) === 1;
  const offsetOf = (glyph: number) =>
    isLong ? loca.readUInt32BE(4 * glyph) : 2 * loca.readUInt16BE(2 * glyph);
  return (glyph) => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1));
}

/** The glyphs that a composite glyph, such as an accented letter, is made of. */
function componentsOf(outline: Buffer): number[] {
  if (outline.length === 0 || outline.readInt16BE(0) >= 0) return [];
  const parts: number[] = [];
  let [at, flags] = [10, HAS_MORE];
  while (flags & HAS_MORE) {
    flags = outline.readUInt16BE(at);
    parts.push(outline.readUInt16BE(at + 2));
    at += flags & HAS_WORDS ? 8 : 6;
    if (flags & HAS_SCALE) at += 2;
    else if (flags & HAS_TWO_SCALES) at += 4;
    else if (flags & HAS_MATRIX) at += 8;
  }
  return parts;
}

function withNumber(table: Buffer, at: number, value: number): Buffer {
  const changed = Buffer.from(table);
  changed.writeUInt16BE(value, at);
  return changed;
}

function locaOf(outlines: Buffer[]): Buffer {
  const loca = Buffer.alloc(4 * (outlines.length + 1));
  let end = 0;
  for (const [glyph, { length }] of outlines.entries()) {
    end += length;
    loca.writeUInt32BE(end, 4 * (glyph + 1));
  }
  return loca;
}

/** Writes the font table `cmap` with one subtable of format 12, in which each character is a separate group. */
function cmapOf(glyphs: { codePoint: number; glyph: number }[]): Buffer {
  const cmap = Buffer.alloc(12 + 16 + 12 * glyphs.length);
  cmap.writeUInt16BE(1, 2);
  cmap.writeUInt16BE(3, 4);
  cmap.writeUInt16BE(10, 6);
  cmap.writeUInt32BE(12, 8);
  cmap.writeUInt16BE(12, 12);
  cmap.writeUInt32BE(16 + 12 * glyphs.length, 16);
  cmap.writeUInt32BE(glyphs.length, 24);
  for (const [index, { codePoint, glyph }] of glyphs.entries()) {
    const at = 28 + 12 * index;
    cmap.writeUInt32BE(codePoint, at);
    cmap.writeUInt32BE(codePoint, at + 4);
    cmap.writeUInt32BE(glyph, at + 8);
  }
  return cmap;
}
