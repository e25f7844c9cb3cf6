// Reads PDFs as others do: their text, their pages, and pictures of them, with the poppler tools. Where they are
// missing, root on Debian gets them; everybody else is told what to do. Tests are never left out for want of it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import decodeQR from 'qr/decode.js';

const ADVICE = 'No poppler tools found: install them (apt-get install poppler-utils).';
const MM_PER_INCH = 25.4;
const DOTS_PER_INCH = 200;

/** Millimetres from the upper left corner of a page. */
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

/** In whole millimetres, as `[width, height]` of each page. */
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

/** What a camera would read there. */
export function qrIn(pdf: Buffer, area: Area): string {
  return decodeQR(pictureOf(pdf, area));
}

/** How wide so many dots of a picture are. */
export function toMm(dots: number): number {
  return (dots / DOTS_PER_INCH) * MM_PER_INCH;
}

/** Three bytes for each dot. */
export function pictureOf(pdf: Buffer, { page, x, y, width, height }: Area) {
  const dots = (mm: number) => String(Math.round((mm / MM_PER_INCH) * DOTS_PER_INCH));
  const crop = ['-x', dots(x), '-y', dots(y), '-W', dots(width), '-H', dots(height)];
  const wish = ['-r', String(DOTS_PER_INCH), '-f', String(page), '-l', String(page), ...crop];
  const ppm = run('pdftoppm', [...wish, '-'], pdf);
  const [head = '', columns, rows] = /^P6\s(\d+) (\d+)\s255\s/.exec(ppm.toString('latin1', 0, 40)) ?? [];
  return { width: Number(columns), height: Number(rows), data: new Uint8Array(ppm.subarray(head.length)) };
}

function run(tool: string, options: string[], pdf: Buffer): Buffer {
  needPoppler();
  const { status, stdout, stderr } = spawnSync(tool, options, { input: pdf, maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${tool} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Test files run side by side: the first one installs, the others wait for it. */
function needPoppler(): void {
  const isThere = () => spawnSync('pdfinfo', ['-v']).status === 0;
  if (isThere()) return;
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) throw new Error(ADVICE);
  const install = 'apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 poppler-utils';
  const script = `command -v pdfinfo || ${install} || { apt-get update && ${install}; }`;
  const lock = join(tmpdir(), 'gastpass-installs-poppler');
  spawnSync('flock', [lock, 'sh', '-c', script], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
  });
  if (!isThere()) throw new Error(ADVICE);
}
