// Tests how often the clock is checked, what is logged, and which other clocks confirm it.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { ClockRecord } from './clock-check.ts';
import { makeClockCheckTurn, type OtherClock } from './clock-check-turn.ts';

const MINUTE_MS = 60_000;
const DOUBT = { sinceRunningMs: 0, seenMs: Date.parse('2028-01-25T00:00:00Z') };

let record: ClockRecord;
let others: OtherClock[];
let warnings: [Record<string, unknown>, string][];
beforeEach(() => {
  record = { heartbeatMs: Date.parse('2025-11-16T00:00:00Z'), runningMs: 0, doubt: null };
  others = [];
  warnings = [];
});

const quiet = () => {};
const makeTurn = () =>
  makeClockCheckTurn({
    beat: async ({ isVouched } = { isVouched: false }) => {
      if (isVouched) record = { ...record, doubt: null };
      return record;
    },
    readOtherClocks: async () => others,
    log: {
      debug: quiet,
      info: quiet,
      warn: (fields, message) => void warnings.push([fields, message]),
      error: quiet,
      isLevelEnabled: () => true,
    },
  });

test('a clock that is trusted is checked every hour, without a log line', async () => {
  assert.equal(await makeTurn()(), 60 * MINUTE_MS);
  assert.deepEqual(warnings, []);
});

test('a doubt is logged once with both times, and once when it ends', async () => {
  const turn = makeTurn();
  record.doubt = DOUBT;
  assert.deepEqual([await turn(), await turn()], [10 * MINUTE_MS, 10 * MINUTE_MS]);
  assert.equal(warnings.length, 1);
  assert.deepEqual(warnings[0]?.[0], {
    clock: '2028-01-25T00:00:00.000Z',
    heartbeat: '2025-11-16T00:00:00.000Z',
  });
  record.doubt = null;
  await turn();
  assert.match(warnings[1]?.[1] ?? '', /trusted again/);
});

test('the clock of another machine confirms a doubted clock only if they agree within five minutes', async () => {
  const turn = makeTurn();
  record.doubt = DOUBT;
  others = [
    { of: 'PostgreSQL', aheadMs: -800 * 24 * 60 * MINUTE_MS },
    { of: 'the controller of site 1 (Haus A)', aheadMs: 5 * MINUTE_MS + 1 },
  ];
  await turn();
  assert.notEqual(record.doubt, null);
  others.push({ of: 'the controller of site 2 (Haus B)', aheadMs: -5 * MINUTE_MS });
  assert.equal(await turn(), 60 * MINUTE_MS);
  assert.equal(record.doubt, null);
  assert.deepEqual(warnings.at(-1)?.[0], { by: 'the controller of site 2 (Haus B)' });
});
