// Loads the library that draws SVG, and finds the fonts for it. Only the thread that prints loads this module.

import { readFile } from 'node:fs/promises';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { readFontTables, writeTrueType } from './font-file.ts';
import { type FontName, readFontFile } from './fonts.ts';

/** The names by which an SVG refers to our fonts. */
const FAMILIES: Record<FontName, { family: string; weight: number }> = {
  plain: { family: 'DejaVu Sans Condensed', weight: 400 },
  bold: { family: 'DejaVu Sans Condensed', weight: 700 },
  mono: { family: 'DejaVu Sans Mono', weight: 700 },
  sans: { family: 'Source Sans 3', weight: 400 },
  'sans-bold': { family: 'Source Sans 3', weight: 700 },
  rest: { family: 'Unifont', weight: 400 },
};

const files = new Map<FontName, Uint8Array>();

/** A font is read and decompressed only if a text needs it. */
function fontFile(name: FontName): Uint8Array {
  const file = files.get(name) ?? writeTrueType(readFontTables(readFontFile(name)));
  files.set(name, file);
  return file;
}

export function fontAttributes(name: FontName): string {
  const { family, weight } = FAMILIES[name];
  return `font-family="${family}" font-weight="${weight}"`;
}

let loading: Promise<void> | undefined;

/** The library can be initialised only once. */
export async function loadResvg(): Promise<void> {
  loading ??= readFile(new URL(import.meta.resolve('#resvg.wasm'))).then(initWasm);
  await loading;
}

/** Opens an SVG that uses these fonts, and frees its memory afterwards. */
export function withSvg<Result>(
  svg: string,
  fonts: Iterable<FontName>,
  use: (drawing: InstanceType<typeof Resvg>) => Result,
): Result {
  const drawing = new Resvg(svg, { font: { fontBuffers: Array.from(fonts, fontFile) } });
  try {
    return use(drawing);
  } finally {
    drawing.free();
  }
}
