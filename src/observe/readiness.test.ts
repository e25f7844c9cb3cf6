// Tests readiness: a write probes the database at most once a second, and the service is not ready while it drains.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { makeFindReadinessFailures } from './readiness.ts';

let probes: number;
let broken: boolean;
let setUp: boolean;
let draining: boolean;
beforeEach(() => {
  probes = 0;
  broken = false;
  setUp = true;
  draining = false;
});

const deps = {
  isSetUp: () => setUp,
  isDraining: () => draining,
  async probeWrite() {
    probes++;
    if (broken) throw new Error('disk full');
  },
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

test('a service that has not finished its first start is not ready', async () => {
  setUp = false;
  assert.deepEqual(await makeFindReadinessFailures(deps)(), ['starting']);
  assert.equal(probes, 0);
});

test('a service that is shutting down is not ready and does not query the database', async () => {
  draining = true;
  assert.deepEqual(await makeFindReadinessFailures(deps)(), ['shutting down']);
  assert.equal(probes, 0);
});
