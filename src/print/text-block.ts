// Blocks of text in a PDF: breaks lines, measures them before they are drawn, and uses as many fonts as the characters
// need.

import type { Cut, SplitRuns } from './fonts.ts';

export interface TextStyle {
  cut: Cut;
  /** In points, like all lengths in this file. */
  size: number;
}

export interface Pen {
  document: PDFKit.PDFDocument;
  splitRuns: SplitRuns;
}

const LINE_HEIGHT = 1.3;
/** The distance from the top of a line to its baseline, as a multiple of the font size. */
const BASELINE = 0.98;

const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export interface TextBlock {
  height: number;
  draw(x: number, y: number): void;
}

interface Shape extends TextStyle {
  width: number;
  align?: 'left' | 'center';
}

export function textBlock(pen: Pen, text: string, { width, align = 'left', ...style }: Shape): TextBlock {
  const lines = text
    .split('\n')
    .flatMap((line) => breakLine(line, (part) => widthOf(pen, part, style) <= width));
  const step = style.size * LINE_HEIGHT;
  return {
    height: lines.length * step,
    draw(x, y) {
      for (const [index, line] of lines.entries()) {
        const left = align === 'center' ? x + (width - widthOf(pen, line, style)) / 2 : x;
        drawLine(pen, line, { ...style, x: left, y: y + index * step + style.size * BASELINE });
      }
    },
  };
}

/** Breaks after spaces and hyphens, and inside a word only if the word is longer than a line. */
export function breakLine(line: string, fits: (part: string) => boolean): string[] {
  const lines: string[] = [];
  let current = '';
  const words = line.split(/(?<=[ -])/);
  for (const piece of words.flatMap((word) => (fits(word.trimEnd()) ? word : lettersOf(word)))) {
    if (current !== '' && !fits((current + piece).trimEnd())) {
      lines.push(current.trimEnd());
      current = '';
    }
    current += piece;
  }
  return [...lines, current.trimEnd()];
}

function lettersOf(word: string): string[] {
  return Array.from(LETTERS.segment(word), ({ segment }) => segment);
}

export function widthOf({ document, splitRuns }: Pen, text: string, { cut, size }: TextStyle): number {
  return splitRuns(text, cut).reduce(
    (sum, run) => sum + document.font(run.font, size).widthOfString(run.text),
    0,
  );
}

function drawLine(
  { document, splitRuns }: Pen,
  line: string,
  { x, y, cut, size }: TextStyle & { x: number; y: number },
): void {
  let left = x;
  for (const { font, text } of splitRuns(line, cut)) {
    document.font(font, size).text(text, left, y, { lineBreak: false, baseline: 'alphabetic' });
    left += document.widthOfString(text);
  }
}

export function space(height: number): TextBlock {
  return { height, draw: () => undefined };
}

/** Places the blocks one below the other. */
export function stack(blocks: TextBlock[]): TextBlock {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    draw(x, y) {
      let top = y;
      for (const block of blocks) {
        block.draw(x, top);
        top += block.height;
      }
    },
  };
}
