// Tests of the rate windows in memory: exact under concurrency, separate for each key, and based on the given clock.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asKeyId } from '../ids.ts';
import { makeMemoryRateCounter } from './memory-rate-counter.ts';

const one = asKeyId('keyAAAAA');
const other = asKeyId('keyBBBBB');

test('of many concurrent requests exactly as many are accepted as the limit allows', async () => {
  const counter = makeMemoryRateCounter({ nowMs: () => 0 });
  const verdicts = await Promise.all(Array.from({ length: 500 }, () => counter.count(one, 100)));
  assert.equal(verdicts.filter(({ accepted }) => accepted).length, 100);
  assert.deepEqual(
    verdicts.slice(0, 100).map(({ left }) => left),
    Array.from({ length: 100 }, (_, index) => 99 - index),
  );
});

test('each key has its own window', async () => {
  const counter = makeMemoryRateCounter({ nowMs: () => 0 });
  assert.equal((await counter.count(one, 1)).accepted, true);
  assert.equal((await counter.count(one, 1)).accepted, false);
  assert.equal((await counter.count(other, 1)).accepted, true);
});

test('the window ends by the given clock', async () => {
  let nowMs = 1_000;
  const counter = makeMemoryRateCounter({ nowMs: () => nowMs });
  const accepted = [];
  for (nowMs of [1_000, 60_999, 61_000]) accepted.push((await counter.count(one, 1)).accepted);
  assert.deepEqual(accepted, [true, false, true]);
});
