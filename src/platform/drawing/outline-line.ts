// Turns lines with right-to-left letters into outlines, with their letters in the right order and joined.

import { escapeXml } from './escape-xml.ts';
import type { TextStyle, Typesetter } from './fonts.ts';
import { fontAttributes, withSvg } from './resvg.ts';

/** An outline at this font size has enough digits. */
const SIZE = 100;
/** A letter that is written behind the line. Its position is the width of the line. */
const MARKER = 'I';

export interface Outline {
  /** An SVG path, in which `SIZE` units are the font size. The baseline is at 0. */
  path: string;
  /** From units of the path to millimetres. The horizontal scale is smaller if the line is too long for its place. */
  scale: { x: number; y: number };
  /** How far the line begins to the right of its place, in millimetres. */
  indent: number;
}

export type OutlineLine = (text: string, place: TextStyle & { width: number; isCentred: boolean }) => Outline;

/**
 * The layout adds up the widths of single letters, and joined letters are narrower. The outline keeps its natural
 * width, in the middle of its place if the text is centred.
 */
export function makeOutlineLine(typesetter: Typesetter): OutlineLine {
  // The slips of a document share many lines.
  const known = new Map<string, { path: string; width: number }>();
  return (text, { cut, size, width, isCentred }) => {
    const key = `${cut} ${text}`;
    const drawn = known.get(key) ?? draw(typesetter, text, cut);
    known.set(key, drawn);
    const own = (drawn.width * size) / SIZE;
    const x = own > width ? width / own : 1;
    return {
      path: drawn.path,
      scale: { x: (x * size) / SIZE, y: size / SIZE },
      indent: isCentred ? Math.max(0, (width - own) / 2) : 0,
    };
  };
}

function draw(typesetter: Typesetter, text: string, cut: TextStyle['cut']): { path: string; width: number } {
  const runs = typesetter.splitRuns(text, cut);
  const spans = runs.map(
    ({ font, text: part }) => `<tspan ${fontAttributes(font)}>${escapeXml(part)}</tspan>`,
  );
  const marker = (colour: string) => `<tspan ${fontAttributes(cut)} fill="${colour}">${MARKER}</tspan>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1" font-size="${SIZE}" xml:space="preserve"><text fill="#000000">${spans.join('')}${marker('#ff0000')}</text><text>${marker('#0000ff')}</text></svg>`;
  const drawn = withSvg(svg, new Set([cut, ...runs.map(({ font }) => font)]), (drawing) =>
    drawing.toString(),
  );
  const pathsOf = (colour: string) =>
    Array.from(
      drawn.matchAll(new RegExp(`<path fill="${colour}"[^>]* d="([^"]*)"`, 'g')),
      ([, path = '']) => path,
    );
  const leftOf = (path: string | undefined) => Number(/^M (\S+)/.exec(path ?? '')?.[1] ?? 0);
  return {
    path: pathsOf('#000000').join(''),
    width: leftOf(pathsOf('#ff0000')[0]) - leftOf(pathsOf('#0000ff')[0]),
  };
}
