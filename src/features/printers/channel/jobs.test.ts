// The bytes for the three kinds of printers contain the same picture.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCloudPrntJob, readEposXml, readEscPosJob } from '../../../../tests/support/read-print-jobs.ts';
import { asMessageId } from '../../../kernel/ids.ts';
import type { Bitmap } from '../../../platform/drawing/bitmap.ts';
import { writeCloudPrntJob } from './cloudprnt-job.ts';
import { writeEposXml } from './epos-xml.ts';
import { writeEscPosJob } from './escpos-job.ts';

/** Its rows fill two whole bands and a part of a third. */
const PICTURE = pictureOf(384, 300);

function pictureOf(width: number, height: number): Bitmap {
  const bits = Buffer.alloc((width / 8) * height).map((_, at) => (at * 37) ^ (at >> 3));
  return { width, height, bits };
}

function assertSame(found: Bitmap | undefined, expected: Bitmap): void {
  assert.deepEqual([found?.width, found?.height], [expected.width, expected.height]);
  assert.equal(Buffer.compare(found?.bits ?? Buffer.alloc(0), expected.bits), 0);
}

test('ESC/POS: the bands of each copy make up the picture, and each copy is cut or fed out', () => {
  const cut = readEscPosJob(writeEscPosJob(PICTURE, { copies: 3, hasCutter: true }));
  assert.deepEqual(cut.ends, ['cut', 'cut', 'cut']);
  for (const slip of cut.slips) assertSame(slip, PICTURE);
  const torn = readEscPosJob(writeEscPosJob(PICTURE, { copies: 1, hasCutter: false }));
  assert.deepEqual(torn.ends, ['feed']);
  assertSame(torn.slips[0], PICTURE);
});

test('CloudPRNT: the copies are in one picture with a line between them', () => {
  assertSame(readCloudPrntJob(writeCloudPrntJob(PICTURE, { copies: 1 })), PICTURE);
  const two = readCloudPrntJob(writeCloudPrntJob(PICTURE, { copies: 2 }));
  const bytes = PICTURE.bits.length;
  assertSame({ ...PICTURE, bits: two.bits.subarray(0, bytes) }, PICTURE);
  assertSame({ ...PICTURE, bits: two.bits.subarray(-bytes) }, PICTURE);
  const between = two.bits.subarray(bytes, -bytes);
  assert.equal(two.bits.length, (two.width / 8) * two.height);
  assert.ok(between.includes(0xff) && between.filter((byte) => byte === 0).length > between.length / 2);
});

test('Epson: the XML names the job and contains each copy', () => {
  const read = readEposXml(writeEposXml(PICTURE, { copies: 2, hasCutter: true }, asMessageId(4711)));
  assert.equal(read.jobId, '4711');
  assert.deepEqual(read.ends, ['cut', 'cut']);
  assert.equal(read.slips.length, 2);
  for (const slip of read.slips) assertSame(slip, PICTURE);
  const torn = readEposXml(writeEposXml(PICTURE, { copies: 1, hasCutter: false }, asMessageId(1)));
  assert.deepEqual(torn.ends, ['feed']);
});
