// Tests that a deadline aborts its signal in time, and that an ended deadline does not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startDeadline } from './deadline.ts';

test('the signal is aborted when the time is over, unless the deadline has ended', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const deadline = startDeadline(1_000);
  const ended = startDeadline(1_000);
  ended[Symbol.dispose]();
  assert.ok(deadline.leftMs() > 0 && deadline.leftMs() <= 1_000);
  t.mock.timers.tick(999);
  assert.equal(deadline.signal.aborted, false);
  t.mock.timers.tick(1);
  assert.equal(deadline.signal.reason.name, 'TimeoutError');
  assert.equal(ended.signal.aborted, false);
});
