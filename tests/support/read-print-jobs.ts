// Reads the pictures back from the bytes that printers get. Knows only the commands and the elements that we send.

import assert from 'node:assert/strict';
import type { Bitmap } from '../../src/platform/drawing/bitmap.ts';
import { readPngBits } from './read-png.ts';

/** One picture for each piece of paper that is cut or torn off. */
export function readEscPosJob(bytes: Buffer): { slips: Bitmap[]; ends: ('cut' | 'feed')[] } {
  const slips: Bitmap[] = [];
  const ends: ('cut' | 'feed')[] = [];
  let rows: Bitmap[] = [];
  const begins = (at: number, ...command: number[]) =>
    command.every((byte, index) => bytes[at + index] === byte);
  assert.ok(begins(0, 0x1b, 0x40, 0x1b, 0x61, 1), 'the job does not begin with ESC @ and ESC a 1');
  let at = 5;
  while (at < bytes.length) {
    if (begins(at, 0x1d, 0x76, 0x30, 0)) {
      const [width, height] = [8 * bytes.readUInt16LE(at + 4), bytes.readUInt16LE(at + 6)];
      const end = at + 8 + (width / 8) * height;
      rows.push({ width, height, bits: bytes.subarray(at + 8, end) });
      at = end;
      continue;
    }
    const isCut = begins(at, 0x1d, 0x56, 66, 0);
    assert.ok(isCut || begins(at, 0x1b, 0x64), `unknown command at ${at}`);
    ends.push(isCut ? 'cut' : 'feed');
    slips.push(joined(rows));
    rows = [];
    at += isCut ? 4 : 3;
  }
  assert.equal(at, bytes.length);
  assert.equal(rows.length, 0);
  return { slips, ends };
}

/** All copies in one picture. */
export function readCloudPrntJob(png: Buffer): Bitmap {
  return readPngBits(png);
}

export function readEposXml(xml: string): { jobId: string; slips: Bitmap[]; ends: ('cut' | 'feed')[] } {
  const [, jobId = ''] =
    /<PrintRequestInfo Version="2.00">.*<printjobid>([\w.-]{1,30})<\/printjobid>/s.exec(xml) ?? [];
  const images = xml.matchAll(
    /<image width="(\d+)" height="(\d+)" color="color_1" mode="mono">([\w+/=]+)<\/image>/g,
  );
  return {
    jobId,
    slips: Array.from(images, ([, width, height, raster = '']) => ({
      width: Number(width),
      height: Number(height),
      bits: Buffer.from(raster, 'base64'),
    })),
    ends: Array.from(xml.matchAll(/<(cut type="feed"|feed line="\d+")\/>/g), ([, end]) =>
      end?.startsWith('cut') ? 'cut' : 'feed',
    ),
  };
}

function joined(parts: Bitmap[]): Bitmap {
  const widths = new Set(parts.map(({ width }) => width));
  assert.equal(widths.size, 1);
  return {
    width: parts[0]?.width ?? 0,
    height: parts.reduce((sum, { height }) => sum + height, 0),
    bits: Buffer.concat(parts.map(({ bits }) => bits)),
  };
}
