// Tests readiness: writes probe the database at their intervals, and the service is not ready while it drains or while
// errors of the disk are recent.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import type { StorageErrorReason } from '../database/tally-storage-errors.ts';
import { makeFindReadinessFailures } from './readiness.ts';

let probes: number;
let tries: number;
let recent: StorageErrorReason | undefined;
let broken: boolean;
let setup: boolean;
let draining: boolean;
beforeEach(() => {
  probes = 0;
  tries = 0;
  recent = undefined;
  broken = false;
  setup = true;
  draining = false;
});

const deps = {
  isSetupDone: () => setup,
  isDraining: () => draining,
  async probeWrite() {
    probes++;
    if (broken) throw new Error('disk full');
  },
  async tryWrite() {
    tries++;
  },
  recentStorageError: () => recent,
  reasonOf: () => undefined,
};

test('the service is ready if the database can be written', async () => {
  assert.deepEqual(await makeFindReadinessFailures(deps)(), []);
  assert.equal(probes, 1);
});

test('a database that cannot be written is reported without the internal error', async () => {
  broken = true;
  assert.deepEqual(await makeFindReadinessFailures(deps)(), ['database cannot be written']);
});

test('many checks within a second cause one write, and a second later the database is probed again', async () => {
  let nowMs = 5_000;
  mock.method(performance, 'now', () => nowMs);
  const findReadinessFailures = makeFindReadinessFailures(deps);
  await Promise.all(Array.from({ length: 50 }, () => findReadinessFailures()));
  assert.equal(probes, 1);
  broken = true;
  nowMs += 1_000;
  assert.deepEqual(await findReadinessFailures(), []);
  nowMs += 1;
  assert.deepEqual(await findReadinessFailures(), ['database cannot be written']);
  broken = false;
  nowMs += 1_001;
  assert.deepEqual(await findReadinessFailures(), []);
  mock.restoreAll();
});

test('the disk is tried at most every 30 seconds, however often the service is asked', async () => {
  let nowMs = 5_000;
  mock.method(performance, 'now', () => nowMs);
  const findReadinessFailures = makeFindReadinessFailures(deps);
  for (let second = 0; second <= 31; second++, nowMs += 1_001) await findReadinessFailures();
  assert.deepEqual([tries, probes], [2, 32]);
  mock.restoreAll();
});

test('an error of the disk that the attempt to write meets counts at once', async () => {
  const tryWrite = async () => {
    recent = 'disk-full';
    throw new Error('no space left on device');
  };
  assert.deepEqual(await makeFindReadinessFailures({ ...deps, tryWrite })(), [
    'database cannot be written: disk full',
  ]);
});

test('after an error of the disk the service is not ready although the probes succeed', async () => {
  recent = 'io-error';
  const findReadinessFailures = makeFindReadinessFailures(deps);
  assert.deepEqual(await findReadinessFailures(), ['database cannot be written: I/O error']);
  recent = undefined;
  assert.deepEqual(await findReadinessFailures(), []);
});

test('a probe that finds the database read-only says so', async () => {
  broken = true;
  const findReadinessFailures = makeFindReadinessFailures({ ...deps, reasonOf: () => 'read-only' });
  assert.deepEqual(await findReadinessFailures(), ['database cannot be written: read-only']);
});

test('a service that has not finished its first start is not ready', async () => {
  setup = false;
  assert.deepEqual(await makeFindReadinessFailures(deps)(), ['starting']);
  assert.equal(probes, 0);
});

test('a service that is shutting down is not ready and does not query the database', async () => {
  draining = true;
  assert.deepEqual(await makeFindReadinessFailures(deps)(), ['shutting down']);
  assert.equal(probes, 0);
});
