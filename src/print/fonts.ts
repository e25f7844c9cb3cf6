// The fonts of a PDF: three styles of DejaVu for common characters, Unifont for nearly all others, and a replacement
// character for characters that neither font has. Loaded only in the worker that writes the PDF.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkit';
import { unpackWoff } from './unpack-woff.ts';

export type Cut = 'plain' | 'bold' | 'mono';
export const REPLACEMENT = '\ufffd';

const FILES: Record<Cut, string> = {
  plain: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf',
  bold: 'dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf',
  mono: 'dejavu-fonts-ttf/ttf/DejaVuSansMono-Bold.ttf',
};
const LAST_RESORT = '@fontsource/unifont/files/unifont-latin-400-normal.woff';

/** A part of a line that is written in one font. */
export interface Run {
  font: string;
  text: string;
}

export type SplitRuns = (text: string, cut: Cut) => Run[];

/** Whether the named font has a glyph for the code point. The fallback font is opened on first use. */
export type HasLetter = (font: string, codePoint: number) => boolean;

export function registerFonts(document: PDFKit.PDFDocument): SplitRuns {
  const { resolve } = createRequire(import.meta.url);
  const opened = new Map<string, Font>();
  function open(name: string, bytes: Buffer): Font {
    const font = create(bytes);
    if (!('hasGlyphForCodePoint' in font)) throw new Error(`${name} is a collection, not a font`);
    document.registerFont(name, bytes);
    opened.set(name, font);
    return font;
  }
  for (const [cut, file] of Object.entries(FILES)) open(cut, readFileSync(resolve(file)));
  return makeSplitRuns((name, codePoint) => {
    const font = opened.get(name) ?? open(name, unpackWoff(readFileSync(resolve(LAST_RESORT))));
    return font.hasGlyphForCodePoint(codePoint);
  });
}

export function makeSplitRuns(hasLetter: HasLetter): SplitRuns {
  const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  // Cached, because words are measured more often than drawn and recur on the following slips.
  const known = new Map<string, Run[]>();
  return function splitRuns(text, cut) {
    const key = `${cut} ${text}`;
    const runs = known.get(key) ?? split(text, cut);
    known.set(key, runs);
    return runs;
  };

  function split(text: string, cut: Cut): Run[] {
    const runs: Run[] = [];
    for (const { segment } of letters.segment(text.normalize('NFC'))) {
      const codePoints = [...segment].map((sign) => sign.codePointAt(0) ?? 0);
      const font = [cut, 'rest'].find((name) => codePoints.every((codePoint) => hasLetter(name, codePoint)));
      const run = { font: font ?? cut, text: font ? segment : REPLACEMENT };
      const last = runs.at(-1);
      if (last?.font === run.font) last.text += run.text;
      else runs.push(run);
    }
    return runs;
  }
}
