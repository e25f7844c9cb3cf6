// Tests of the semaphore in front of the connections: number of places, order, and the limit on waiting.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailable } from '../../domain/database-unavailable.ts';
import { makeSemaphore } from './semaphore.ts';

test('as many enter as there are places, the next when one leaves, in order', async () => {
  const { enter, leave } = makeSemaphore(2);
  const entered: number[] = [];
  for (let number = 1; number <= 4; number++) void enter().then(() => entered.push(number));
  await new Promise(setImmediate);
  assert.deepEqual(entered, [1, 2]);
  leave();
  leave();
  await new Promise(setImmediate);
  assert.deepEqual(entered, [1, 2, 3, 4]);
});

test('who finishes something goes before who begins', async () => {
  const { enter, leave } = makeSemaphore(1);
  await enter();
  const entered: string[] = [];
  for (const who of ['begins', 'finishes', 'begins', 'finishes'] as const)
    void enter(who).then(() => entered.push(who));
  for (let times = 0; times < 4; times++) {
    leave();
    await new Promise(setImmediate);
  }
  assert.deepEqual(entered, ['finishes', 'finishes', 'begins', 'begins']);
});

test('places that nobody waits for are free again', async () => {
  const { enter, leave } = makeSemaphore(1);
  for (let times = 0; times < 3; times++) {
    await enter();
    leave();
  }
});

test('who waits too long is told that the database is not available, and holds nobody up', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { enter, leave } = makeSemaphore(1);
  await enter();
  const late = assert.rejects(enter(), DatabaseUnavailable);
  context.mock.timers.tick(14_999);
  const patient = enter();
  context.mock.timers.tick(1);
  await late;
  leave();
  await patient;
});
