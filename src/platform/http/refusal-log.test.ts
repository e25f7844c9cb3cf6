// Tests that equal refusals within a second are logged once in full and then as a number.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import type { RequestFacts } from '../network/request-facts.ts';
import { makeRefusalLog } from './refusal-log.ts';

const FACTS: RequestFacts = { method: 'GET', route: '/api/vouchers.php', status: 401, durationMs: 1 };

beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
afterEach(() => mock.timers.reset());

function setup() {
  const lines: unknown[] = [];
  const note = (fields: object) => lines.push(fields);
  const log = { debug: note, info: note, warn: note, error: note, isLevelEnabled: () => true };
  return { lines, refusals: makeRefusalLog(log) };
}

test('the first refusal of a caller in a second is logged, equal ones are counted', () => {
  const { lines, refusals } = setup();
  assert.equal(refusals.isFirst(FACTS, 'gpk_abc'), true);
  for (let i = 0; i < 3; i++) assert.equal(refusals.isFirst(FACTS, 'gpk_abc'), false);
  mock.timers.tick(1_000);
  assert.deepEqual(lines, [{ method: 'GET', route: '/api/vouchers.php', status: 401, repeated: 3 }]);
  assert.equal(refusals.isFirst(FACTS, 'gpk_abc'), true, 'a new second');
  mock.timers.tick(1_000);
  assert.equal(lines.length, 1, 'nothing was repeated');
});

test('another caller, status, method or route is another kind', () => {
  const { refusals } = setup();
  assert.equal(refusals.isFirst(FACTS, 'gpk_abc'), true);
  assert.equal(refusals.isFirst(FACTS, 'gpk_xyz'), true);
  for (const other of [{ status: 404 }, { method: 'POST' }, { route: '/api/sites.php' }])
    assert.equal(refusals.isFirst({ ...FACTS, ...other }, 'gpk_abc'), true);
});

test('beyond a thousand kinds in a second, all further ones share one count', () => {
  const { lines, refusals } = setup();
  const logged = Array.from({ length: 1_500 }, (_, i) => refusals.isFirst(FACTS, `gpk_${i}`));
  assert.equal(logged.filter(Boolean).length, 1_001);
  mock.timers.tick(1_000);
  assert.deepEqual(lines, [{ method: 'GET', route: '/api/vouchers.php', status: 401, repeated: 499 }]);
});

test('the last counts are logged when the server closes', () => {
  const { lines, refusals } = setup();
  refusals.isFirst(FACTS, 'gpk_abc');
  refusals.isFirst(FACTS, 'gpk_abc');
  refusals.close();
  assert.equal(lines.length, 1);
});
