// Tests of the semaphore: number of places, order, and the limit on waiting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSemaphore } from './semaphore.ts';

test('as many callers start as there are places, and the others in order as places are released', async () => {
  const { acquire, release } = makeSemaphore({ places: 2 });
  const started: number[] = [];
  for (let number = 1; number <= 4; number++) void acquire().then(() => started.push(number));
  await new Promise(setImmediate);
  assert.deepEqual(started, [1, 2]);
  release();
  release();
  await new Promise(setImmediate);
  assert.deepEqual(started, [1, 2, 3, 4]);
});

test('urgent callers start first', async () => {
  const { acquire, release } = makeSemaphore({ places: 1 });
  await acquire();
  const started: boolean[] = [];
  for (const isUrgent of [false, true, false, true])
    void acquire(isUrgent).then(() => started.push(isUrgent));
  for (let times = 0; times < 4; times++) {
    release();
    await new Promise(setImmediate);
  }
  assert.deepEqual(started, [true, true, false, false]);
});

test('a place that no caller waits for is free again', async () => {
  const { acquire, release } = makeSemaphore({ places: 1, maxWaitMs: 0 });
  for (let times = 0; times < 3; times++) {
    assert.equal(await acquire(), true);
    release();
  }
});

test('a caller that waits too long is refused and does not delay other callers', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { acquire, release } = makeSemaphore({ places: 1, maxWaitMs: 15_000 });
  await acquire();
  const late = acquire();
  context.mock.timers.tick(14_999);
  const patient = acquire();
  context.mock.timers.tick(1);
  assert.equal(await late, false);
  release();
  assert.equal(await patient, true);
});
