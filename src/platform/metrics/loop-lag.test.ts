// Tests that the lag of the event loop is that of the last full minute, for every reader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeLoopLag } from './loop-lag.ts';

/** Delays that were set instead of measured. */
function fakeDelays() {
  let seen: number[] = [];
  return {
    add: (seconds: number) => void seen.push(seconds * 1e9),
    percentile: () => Math.max(0, ...seen),
    reset: () => {
      seen = [];
    },
    disable: () => true,
  };
}

test('the lag falls again after a busy minute, and reading it does not change it', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const delays = fakeDelays();
  const lag = makeLoopLag(delays);
  delays.add(2);
  assert.equal(lag.p99S(), 2, 'in the first minute, the lag so far');
  t.mock.timers.tick(60_000);
  delays.add(0.5);
  assert.deepEqual([lag.p99S(), lag.p99S()], [2, 2], 'the last full minute');
  t.mock.timers.tick(60_000);
  assert.equal(lag.p99S(), 0.5);
  t.mock.timers.tick(60_000);
  assert.equal(lag.p99S(), 0);
  lag.stop();
});
