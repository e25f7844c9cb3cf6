// Reads from a font file which characters the font has and how wide they are. Text is broken into lines with these
// widths, so no font library is needed for the layout.

import { type FontTables, readFontTables } from './font-file.ts';

const FORMAT = 12;
const GROUP_BYTES = 12;

export interface FontMetrics {
  /** The glyph of a code point; 0 if the font has none. */
  glyphOf(codePoint: number): number;
  /** The width of a glyph in multiples of the font size. */
  widthOf(glyph: number): number;
}

export function readMetrics(file: Buffer): FontMetrics {
  const tables = readFontTables(file, ['cmap', 'head', 'hhea', 'hmtx']);
  const cmap = tableOf(tables, 'cmap');
  const groups = subtableOf(cmap);
  const count = cmap.readUInt32BE(groups + 12);
  const unitsPerEm = tableOf(tables, 'head').readUInt16BE(18);
  const hmtx = tableOf(tables, 'hmtx');
  const lastWidth = tableOf(tables, 'hhea').readUInt16BE(34) - 1;
  return { glyphOf, widthOf: (glyph) => hmtx.readUInt16BE(4 * Math.min(glyph, lastWidth)) / unitsPerEm };

  function glyphOf(codePoint: number): number {
    let [low, high] = [0, count - 1];
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = groups + 16 + GROUP_BYTES * middle;
      const first = cmap.readUInt32BE(at);
      if (codePoint < first) high = middle - 1;
      else if (codePoint > cmap.readUInt32BE(at + 4)) low = middle + 1;
      else return cmap.readUInt32BE(at + 8) + codePoint - first;
    }
    return 0;
  }
}

export function tableOf(tables: FontTables, tag: string): Buffer {
  const table = tables.get(tag);
  if (!table) throw new Error(`the font has no table ${tag}`);
  return table;
}

/** The offset of the subtable in format 12, which covers all of Unicode. All our fonts have this subtable. */
function subtableOf(cmap: Buffer): number {
  for (let index = 0; index < cmap.readUInt16BE(2); index++) {
    const at = cmap.readUInt32BE(4 + 8 * index + 4);
    if (cmap.readUInt16BE(at) === FORMAT) return at;
  }
  throw new Error('the font has no table of all characters');
}
