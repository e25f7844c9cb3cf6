// Tests that failures which were counted while the clock was far ahead keep nobody out once the clock is right.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILURES_FORGOTTEN_AFTER_MS, isUnderAttack, waitAfter } from './login-throttle.ts';

const NOW_MS = Date.parse('2026-11-17T08:00:00Z');
const WAIT_MS = 15 * 60_000;
const failuresAt = (lastAtMs: number) => ({ count: 100, lastAtMs });

test('a failure keeps an account waiting until its wait is over, and is forgotten an hour later', () => {
  const failures = failuresAt(NOW_MS);
  assert.equal(waitAfter('account', failures, NOW_MS), WAIT_MS);
  assert.equal(waitAfter('account', failures, NOW_MS + WAIT_MS - 1), 1);
  assert.equal(waitAfter('account', failures, NOW_MS + WAIT_MS), 0);
  assert.ok(isUnderAttack(failures, NOW_MS + FAILURES_FORGOTTEN_AFTER_MS - 1));
  assert.ok(!isUnderAttack(failures, NOW_MS + FAILURES_FORGOTTEN_AFTER_MS));
});

test('after the clock was set back, failures of the future are forgotten, those of another clock are not', () => {
  const ahead = failuresAt(NOW_MS + 800 * 24 * 60 * 60_000);
  assert.equal(waitAfter('account', ahead, NOW_MS), 0);
  assert.ok(!isUnderAttack(ahead, NOW_MS));
  const ofAnotherInstance = failuresAt(NOW_MS + 5_000);
  assert.equal(waitAfter('account', ofAnotherInstance, NOW_MS), WAIT_MS);
  assert.ok(isUnderAttack(ofAnotherInstance, NOW_MS));
});
