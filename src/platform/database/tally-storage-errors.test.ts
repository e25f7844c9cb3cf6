// Tests the memory for errors of the disk: how long an error counts, what is counted, and how often a line is logged.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { makeStorageErrors, type StorageErrors } from './tally-storage-errors.ts';

const quiet = () => {};
let nowMs: number;
let lines: Record<string, unknown>[];
let errors: StorageErrors;
beforeEach(() => {
  nowMs = 1_000_000;
  lines = [];
  const error = (fields: Record<string, unknown>, msg: string) => void lines.push({ ...fields, msg });
  const log = { debug: quiet, info: quiet, warn: quiet, error, isLevelEnabled: () => true };
  errors = makeStorageErrors({ clock: { nowMs: () => nowMs }, log });
});

test('an error counts for a minute, and a further error renews it', () => {
  assert.equal(errors.recent(), undefined);
  errors.note('disk-full', new Error('no space'));
  nowMs += 50_000;
  assert.equal(errors.recent(), 'disk-full');
  errors.note('io-error', new Error('broken'));
  nowMs += 59_999;
  assert.equal(errors.recent(), 'io-error');
  nowMs += 1;
  assert.equal(errors.recent(), undefined);
});

test('a database that is read-only is counted, but only the probes tell how long it is', () => {
  errors.note('read-only', new Error('standby'));
  assert.equal(errors.recent(), undefined);
  assert.equal(errors.counts()['read-only'], 1);
  assert.equal(lines.length, 1);
});

test('a clock that was set back does not keep the service from being ready', () => {
  errors.note('disk-full', new Error('no space'));
  nowMs -= 1;
  assert.equal(errors.recent(), undefined);
});

test('each reason is logged once a minute, with the number of failed writes', () => {
  for (let turn = 0; turn < 100; turn++) errors.note('disk-full', new Error('no space'));
  errors.note('damaged', new Error('malformed'));
  nowMs += 60_000;
  errors.note('disk-full', new Error('no space'));
  assert.deepEqual(
    lines.map(({ reason, writes }) => [reason, writes]),
    [
      ['disk-full', 1],
      ['damaged', 1],
      ['disk-full', 100],
    ],
  );
  assert.deepEqual(errors.counts(), { 'disk-full': 101, 'read-only': 0, 'io-error': 0, damaged: 1 });
});
