// Tests that a call whose turn comes too late is refused at once, and does not hold up the calls behind it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePrioritySemaphore } from './priority-semaphore.ts';

test('a call that must no longer start when its turn comes is refused, and the next one starts', async () => {
  const semaphore = makePrioritySemaphore({ places: 1, maxWaiting: 10 }, { nowMs: () => 0 });
  const { signal } = new AbortController();
  let isInTime = true;
  const acquire = (mayStart = () => true) =>
    semaphore.acquire({ priority: 'create', caller: 'a', mayStart }, signal);
  assert.equal(await acquire(), 'started');
  const turns = Promise.all([acquire(() => isInTime), acquire()]);
  isInTime = false;
  semaphore.release('create');
  assert.deepEqual(await turns, ['refused', 'started']);
});
