// Turns a drawing into black and white dots. Shades of grey in a logo become patterns of dots.

import { type Bitmap, DOTS_PER_MM } from './bitmap.ts';
import type { Area } from './boxes.ts';

/** Red, green, blue and opacity of each dot. Nothing is transparent. */
export interface Pixels {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A dot at the edge of a letter is black even if the letter covers a little less than half of it. */
const THRESHOLD = 144;
const WHITE = 255;
/** If the darkest part of a logo is lighter than this, the logo stays as it is. Otherwise that part becomes black. */
const LIGHTEST_INK = 230;

/** `logos` are the areas with shades of grey, in millimetres. Everything else is black and white. */
export function toBitmap({ width, height, data }: Pixels, logos: Area[]): Bitmap {
  const bits = new Uint8Array((width * height) / 8);
  for (let dot = 0; dot < width * height; dot++)
    if ((data[4 * dot + 1] ?? WHITE) < THRESHOLD) setDot(bits, dot, true);
  for (const logo of logos) {
    const area = toDots(logo, { width, height });
    const greys = dither(darken(greysIn(data, width, area)), area.width);
    for (const [at, grey] of greys.entries()) {
      const [x, y] = [at % area.width, Math.floor(at / area.width)];
      setDot(bits, (area.y + y) * width + area.x + x, grey === 0);
    }
  }
  return { width, height, bits };
}

function setDot(bits: Uint8Array, dot: number, isBlack: boolean): void {
  const [at, mask] = [dot >> 3, 0x80 >> (dot & 7)];
  bits[at] = isBlack ? (bits[at] ?? 0) | mask : (bits[at] ?? 0) & ~mask;
}

function toDots({ x, y, width, height }: Area, whole: { width: number; height: number }): Area {
  const left = Math.max(0, Math.floor(x * DOTS_PER_MM));
  const top = Math.max(0, Math.floor(y * DOTS_PER_MM));
  const right = Math.min(whole.width, Math.ceil((x + width) * DOTS_PER_MM));
  const bottom = Math.min(whole.height, Math.ceil((y + height) * DOTS_PER_MM));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** The brightness of each dot in the area. */
function greysIn(data: Uint8Array, rowLength: number, { x, y, width, height }: Area): Float32Array {
  return new Float32Array(width * height).map((_, at) => {
    const dot = 4 * ((y + Math.floor(at / width)) * rowLength + x + (at % width));
    return 0.299 * (data[dot] ?? 0) + 0.587 * (data[dot + 1] ?? 0) + 0.114 * (data[dot + 2] ?? 0);
  });
}

/** A logo in a light colour would be a few scattered dots. */
function darken(greys: Float32Array): Float32Array {
  const darkest = greys.reduce((least, grey) => Math.min(least, grey), WHITE);
  if (darkest > LIGHTEST_INK) return greys;
  return greys.map((grey) => WHITE - ((WHITE - grey) * WHITE) / (WHITE - darkest));
}

/** Makes each dot black or white and passes the difference on to its neighbours (Floyd and Steinberg). */
function dither(greys: Float32Array, width: number): Float32Array {
  const pass = (at: number, difference: number) => {
    if (at < greys.length) greys[at] = (greys[at] ?? 0) + difference;
  };
  for (let at = 0; at < greys.length; at++) {
    const grey = greys[at] ?? WHITE;
    greys[at] = grey < WHITE / 2 ? 0 : WHITE;
    const rest = grey - (greys[at] ?? 0);
    const [isFirst, isLast] = [at % width === 0, at % width === width - 1];
    if (!isLast) pass(at + 1, (rest * 7) / 16);
    if (!isFirst) pass(at + width - 1, (rest * 3) / 16);
    pass(at + width, (rest * 5) / 16);
    if (!isLast) pass(at + width + 1, rest / 16);
  }
  return greys;
}
