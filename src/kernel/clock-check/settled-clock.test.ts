// Tests how long a clock must run, or who must confirm it, before vouchers are deleted on controllers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIsClockSettled } from './settled-clock.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const START_MS = Date.parse('2026-11-17T08:00:00Z');

/** A service that starts on a machine whose clock is wrong by `offMs`. The clock of another machine is right. */
function start(offMs: number, { reachesOther = true } = {}) {
  const machine = { offMs, runningMs: 0, asked: 0 };
  const isSettled = makeIsClockSettled({
    clock: { nowMs: () => START_MS + machine.runningMs + machine.offMs },
    monotonicMs: () => machine.runningMs,
    readOtherClocks: async () => {
      machine.asked++;
      return reachesOther ? [{ of: 'other', aheadMs: -machine.offMs }] : [];
    },
  });
  return { machine, isSettled };
}

test('a clock that another machine confirms is settled at once, and the other machine is asked once', async () => {
  const { machine, isSettled } = start(MINUTE_MS);
  assert.deepEqual([await isSettled(), await isSettled(), machine.asked], [true, true, 1]);
});

test('a clock that is hours ahead is settled when the service has run for an hour without a jump', async () => {
  for (const reachesOther of [true, false]) {
    const { machine, isSettled } = start(5 * HOUR_MS, { reachesOther });
    assert.equal(await isSettled(), false);
    machine.runningMs = HOUR_MS - 1;
    assert.equal(await isSettled(), false);
    machine.runningMs = HOUR_MS;
    assert.equal(await isSettled(), true);
  }
});

test('a jump of more than five minutes begins the wait anew, in either direction', async () => {
  for (const direction of [1, -1]) {
    const { machine, isSettled } = start(0, { reachesOther: false });
    machine.runningMs = 2 * HOUR_MS;
    machine.offMs = direction * 5 * MINUTE_MS;
    assert.equal(await isSettled(), true);
    machine.offMs = direction * 3 * HOUR_MS;
    assert.equal(await isSettled(), false);
    machine.runningMs += HOUR_MS;
    assert.equal(await isSettled(), true);
  }
});

test('a confirmed clock that jumps ahead is not settled, until it is corrected and confirmed again', async () => {
  const { machine, isSettled } = start(0);
  assert.equal(await isSettled(), true);
  machine.offMs = 20 * HOUR_MS;
  assert.equal(await isSettled(), false);
  machine.offMs = 0;
  assert.equal(await isSettled(), true);
});
