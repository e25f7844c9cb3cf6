// The fonts of slips: two styles of Source Sans and three of DejaVu for common characters, and Unifont for nearly all
// others. A character that no font has, such as an emoji, is left out. The width of lines is measured here, for the
// browser, the PDF and receipt printers.

import { readFileSync } from 'node:fs';
import { type FontMetrics, readMetrics } from './font-metrics.ts';

export const CUTS = ['plain', 'bold', 'mono', 'sans', 'sans-bold'] as const;
export type Cut = (typeof CUTS)[number];
export type FontName = Cut | 'rest';

/** `imports` in package.json maps these names to the paths of the files. */
const FILES: Record<FontName, string> = {
  plain: '#fonts/plain.ttf',
  bold: '#fonts/bold.ttf',
  mono: '#fonts/mono.ttf',
  sans: '#fonts/sans.woff',
  'sans-bold': '#fonts/sans-bold.woff',
  rest: '#fonts/rest.woff',
};

/** The fonts that may contain a character, in the order in which they are tried. */
const FALLBACKS: Record<Cut, FontName[]> = {
  plain: ['plain', 'rest'],
  bold: ['bold', 'rest'],
  mono: ['mono', 'rest'],
  sans: ['sans', 'plain', 'rest'],
  'sans-bold': ['sans-bold', 'bold', 'rest'],
};

const DEJAVU = { line: 1.24, capital: 0.73 };
const SOURCE_SANS = { line: 1.17, capital: 0.66 };
/** The heights of a line and of a capital letter, in multiples of the font size. */
export const HEIGHTS: Record<Cut, { line: number; capital: number }> = {
  plain: DEJAVU,
  bold: DEJAVU,
  mono: DEJAVU,
  sans: SOURCE_SANS,
  'sans-bold': SOURCE_SANS,
};

/** They only ask for a coloured or a plain form of the character before them. */
const VARIATION_SELECTORS = /[\ufe0e\ufe0f]/g;

export function readFontFile(name: FontName): Buffer {
  return readFileSync(new URL(import.meta.resolve(FILES[name])));
}

const opened = new Map<FontName, FontMetrics>();

/** Reads a font file when it is first needed, and keeps its metrics in memory. */
function metricsOf(name: FontName): FontMetrics {
  const metrics = opened.get(name) ?? readMetrics(readFontFile(name));
  opened.set(name, metrics);
  return metrics;
}

/** A part of a line that is written in one font. */
export interface Run {
  font: FontName;
  text: string;
}

export interface TextStyle {
  cut: Cut;
  /** In millimetres, like all lengths of a layout. */
  size: number;
}

/** The distance of the baseline from the top of a line. */
export function baselineOf({ cut, size }: TextStyle): number {
  const { line, capital } = HEIGHTS[cut];
  return (size * (line + capital)) / 2;
}

export interface Typesetter {
  splitRuns(text: string, cut: Cut): Run[];
  /** The text without the characters that no font has. */
  printable(text: string, cut: Cut): string;
  /** The width of a character in multiples of the font size. */
  widthIn(font: FontName, sign: string): number;
  widthOf(text: string, style: TextStyle): number;
  /** Returns the lines stored under this key. If there are none, calls `breakLines` and stores its result. */
  remember(key: string, breakLines: () => string[]): string[];
}

/** Whether the named font has a glyph for the code point. */
type HasLetter = (font: FontName, codePoint: number) => boolean;

/** A typesetter caches the widths of texts, because the slips of a document share many texts. Make one per document. */
export function makeTypesetter(): Typesetter {
  const splitRuns = makeSplitRuns((font, codePoint) => metricsOf(font).glyphOf(codePoint) !== 0);
  const known = new Map<string, number>();
  const broken = new Map<string, string[]>();
  return { splitRuns, printable, widthIn, widthOf, remember };

  function remember(key: string, breakLines: () => string[]): string[] {
    const lines = broken.get(key) ?? breakLines();
    broken.set(key, lines);
    return lines;
  }

  function widthOf(text: string, { cut, size }: TextStyle): number {
    const key = `${cut} ${text}`;
    const width = known.get(key) ?? measure(text, cut);
    known.set(key, width);
    return width * size;
  }

  function measure(text: string, cut: Cut): number {
    let width = 0;
    for (const run of splitRuns(text, cut)) for (const sign of run.text) width += widthIn(run.font, sign);
    return width;
  }

  function widthIn(font: FontName, sign: string): number {
    const metrics = metricsOf(font);
    return metrics.widthOf(metrics.glyphOf(sign.codePointAt(0) ?? 0));
  }

  function printable(text: string, cut: Cut): string {
    const written = splitRuns(text, cut)
      .map((run) => run.text)
      .join('');
    // A character between two spaces that is left out would leave a wide gap.
    return written.length === text.length ? written : written.replace(/ {2,}/g, ' ').trim();
  }
}

export function makeSplitRuns(hasLetter: HasLetter): Typesetter['splitRuns'] {
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return function splitRuns(text, cut) {
    const composed = text.normalize('NFC').replace(VARIATION_SELECTORS, '');
    if (hasAll(cut, composed)) return [{ font: cut, text: composed }];
    const runs: Run[] = [];
    for (const { segment } of letters.segment(composed)) {
      const font = FALLBACKS[cut].find((name) => hasAll(name, segment));
      if (!font) continue;
      const last = runs.at(-1);
      if (last?.font === font) last.text += segment;
      else runs.push({ font, text: segment });
    }
    return runs;
  };

  function hasAll(font: FontName, text: string): boolean {
    for (const sign of text) if (!hasLetter(font, sign.codePointAt(0) ?? 0)) return false;
    return true;
  }
}
