// Tests how the estimate of call durations follows the measurements.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePace } from './pace.ts';

function paceAt(nowMs = 0) {
  const clock = { now: nowMs, nowMs: () => clock.now };
  return { clock, pace: makePace(clock) };
}

test('before the first call the estimates are 0', () => {
  const { pace } = paceAt();
  assert.deepEqual([pace.averageMs(), pace.safeMs(1)], [0, 0]);
});

test('steady calls bring the upper estimate down to the average', () => {
  const { pace } = paceAt();
  pace.note(100);
  assert.equal(pace.averageMs(), 100);
  assert.equal(pace.safeMs(1), 150);
  for (let n = 0; n < 50; n++) pace.note(100);
  assert.ok(pace.safeMs(1) < 101);
  assert.ok(pace.safeMs(2) >= 200 && pace.safeMs(2) < 201);
  assert.equal(pace.safeMs(0), 0);
});

test('a slow call raises the upper estimate more than the average', () => {
  const { pace } = paceAt();
  for (let n = 0; n < 50; n++) pace.note(100);
  pace.note(1_000);
  assert.ok(pace.averageMs() < 220);
  assert.ok(pace.safeMs(1) > 1_000);
});

test('the estimate is discarded half a minute after the last call', () => {
  const { pace, clock } = paceAt();
  pace.note(9_000);
  clock.now = 30_000;
  assert.equal(pace.averageMs(), 9_000);
  clock.now = 30_001;
  assert.deepEqual([pace.averageMs(), pace.safeMs(1)], [0, 0]);
  pace.note(100);
  assert.equal(pace.safeMs(1), 150);
});
