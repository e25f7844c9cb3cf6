// Reads PDFs with the poppler tools: their text, their pages, and images of them.

import { spawnSync } from 'node:child_process';
import decodeQR from 'qr/decode.js';

const MM_PER_INCH = 25.4;
const DOTS_PER_INCH = 200;

/** In millimetres from the upper left corner of a page. */
export interface Area {
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export function textOf(pdf: Buffer): string {
  return run('pdftotext', ['-', '-'], pdf).toString('utf8');
}

/** `[width, height]` of each page in whole millimetres. */
export function pagesOf(pdf: Buffer): [number, number][] {
  const said = run('pdfinfo', ['-f', '1', '-l', '10000', '-'], pdf).toString('utf8');
  const whole = (points: string | undefined) => Math.round((Number(points) / 72) * MM_PER_INCH);
  return [...said.matchAll(/^Page +\d+ size: +([\d.]+) x ([\d.]+) pts/gm)].map(([, width, height]) => [
    whole(width),
    whole(height),
  ]);
}

export function titleOf(pdf: Buffer): string | undefined {
  return /^Title: +(.*)$/m.exec(run('pdfinfo', ['-'], pdf).toString('utf8'))?.[1];
}

/** The content of the QR code in this area. */
export function qrIn(pdf: Buffer, area: Area): string {
  return decodeQR(pictureOf(pdf, area));
}

/** The width of this many dots in millimetres. */
export function toMm(dots: number): number {
  return (dots / DOTS_PER_INCH) * MM_PER_INCH;
}

/** The area as an image with three bytes per dot. */
export function pictureOf(pdf: Buffer, { page, x, y, width, height }: Area) {
  const dots = (mm: number) => String(Math.round((mm / MM_PER_INCH) * DOTS_PER_INCH));
  const crop = ['-x', dots(x), '-y', dots(y), '-W', dots(width), '-H', dots(height)];
  const input = ['-r', String(DOTS_PER_INCH), '-f', String(page), '-l', String(page), ...crop];
  const ppm = run('pdftoppm', [...input, '-'], pdf);
  const [head = '', columns, rows] = /^P6\s(\d+) (\d+)\s255\s/.exec(ppm.toString('latin1', 0, 40)) ?? [];
  return { width: Number(columns), height: Number(rows), data: new Uint8Array(ppm.subarray(head.length)) };
}

function run(tool: string, options: string[], pdf: Buffer): Buffer {
  const { status, stdout, stderr, error } = spawnSync(tool, options, { input: pdf, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${tool} ended with ${status}: ${error ?? stderr}`);
  return stdout;
}
