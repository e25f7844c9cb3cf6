// Boxes are the texts, QR codes, logos and bands of a slip with their positions. Blocks are parts of a slip that do not
// have a position yet; they can be placed below or beside each other. All lengths are in millimetres. Positions are
// measured from the upper left corner of the slip.

import { HEIGHTS, type TextStyle, type Typesetter } from './fonts.ts';
import type { QrDrawing } from './qr.ts';

export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

export type TextRole =
  | 'mark'
  | 'title'
  | 'site'
  | 'name'
  | 'code'
  | 'allowance'
  | 'label'
  | 'wifi'
  | 'password'
  | 'steps'
  | 'text'
  | 'caption';

export interface Line {
  text: string;
  x: number;
  /** The position of the baseline. */
  y: number;
  width: number;
}

export interface TextBox extends Area, TextStyle {
  kind: 'text';
  role: TextRole;
  language: string | undefined;
  lines: Line[];
  isCentred: boolean;
  /** Black if undefined. */
  colour: string | undefined;
}
/** The size includes the quiet zone of the QR code. The quiet zone may extend into the margin of the slip. */
export interface QrBox extends Area {
  kind: 'qr';
  text: string;
  drawing: QrDrawing;
  label: string;
}
export interface LogoBox extends Area {
  kind: 'logo';
  name: string;
  label: string;
}
/** A coloured area behind texts. */
export interface BandBox extends Area {
  kind: 'band';
  colour: string;
  /** The radius of its corners. */
  radius: number;
}
export type Box = TextBox | QrBox | LogoBox | BandBox;

/** A part of a slip. Its height is known; `at` returns its boxes at a given position. */
export interface Block {
  height: number;
  at(x: number, y: number): Box[];
}

/** How much higher than a capital letter a line of capitals and digits is, which do not extend below the baseline. */
const TIGHT_EXTRA = 0.05;
const BAND_RADIUS = 1.2;
const LETTERS = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

interface TextShape extends TextStyle {
  role: TextRole;
  width: number;
  align?: 'left' | 'center';
  language?: string | undefined;
  /** A longer text is cut off after this many lines and ends with an ellipsis. */
  maxLines?: number;
  /** True for a text of capitals and digits only. */
  isTight?: boolean;
  colour?: string | undefined;
}

export function textBlock(typesetter: Typesetter, text: string, shape: TextShape): Block {
  const { role, width, align = 'left', language, cut, size, colour } = shape;
  const { maxLines = Number.POSITIVE_INFINITY, isTight = false } = shape;
  const { line: lineHeight, capital } = HEIGHTS[cut];
  const widthOf = (part: string) => typesetter.widthOf(part, { cut, size });
  const fits = (part: string) => widthOf(part) <= width;
  const lines = typesetter.remember(`${cut} ${size} ${width} ${maxLines} ${text}`, () => {
    const broken = text.split('\n').flatMap((line) => breakLine(typesetter.printable(line, cut), fits));
    if (broken.length <= maxLines) return broken;
    return [...broken.slice(0, maxLines - 1), shorten(broken.slice(maxLines - 1).join(' '), fits)];
  });
  const step = size * (isTight ? capital + TIGHT_EXTRA : lineHeight);
  const baseline = (step + size * capital) / 2;
  const height = lines.length * step;
  return {
    height,
    at(x, y) {
      const placed = lines.flatMap((line, index) => {
        if (line === '') return [];
        const own = widthOf(line);
        const left = align === 'center' ? x + (width - own) / 2 : x;
        return [{ text: line, x: left, y: y + index * step + baseline, width: own }];
      });
      const isCentred = align === 'center';
      return [
        { kind: 'text', role, language, cut, size, x, y, width, height, lines: placed, isCentred, colour },
      ];
    },
  };
}

/** Breaks a line after spaces and hyphens. A word is broken only if it is longer than a line. */
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

function shorten(line: string, fits: (part: string) => boolean): string {
  const letters = lettersOf(line);
  while (letters.length > 0 && !fits(`${letters.join('').trimEnd()}…`)) letters.pop();
  return `${letters.join('').trimEnd()}…`;
}

function lettersOf(word: string): string[] {
  return Array.from(LETTERS.segment(word), ({ segment }) => segment);
}

/** Puts a band of colour behind the block. */
export function band(
  block: Block,
  { width, padding, colour }: { width: number; padding: { x: number; y: number }; colour: string },
): Block {
  const height = block.height + 2 * padding.y;
  return {
    height,
    at: (x, y) => [
      { kind: 'band', x, y, width, height, colour, radius: BAND_RADIUS },
      ...block.at(x + padding.x, y + padding.y),
    ],
  };
}

export function space(height: number): Block {
  return { height, at: () => [] };
}

/** Places the blocks one below the other. */
export function stack(blocks: Block[]): Block {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    at(x, y) {
      let top = y;
      return blocks.flatMap((block) => {
        const boxes = block.at(x, top);
        top += block.height;
        return boxes;
      });
    },
  };
}

/** Places the blocks side by side, aligned at the top or in the middle. */
export function row(parts: { block: Block; x: number }[], align: 'top' | 'middle' = 'top'): Block {
  const height = Math.max(0, ...parts.map(({ block }) => block.height));
  return {
    height,
    at: (x, y) =>
      parts.flatMap(({ block, x: left }) =>
        block.at(x + left, y + (align === 'middle' ? (height - block.height) / 2 : 0)),
      ),
  };
}
