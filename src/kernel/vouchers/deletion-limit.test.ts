// Tests the daily limit of deletions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDayOver, leftOf } from './deletion-limit.ts';

const DAY_MS = 24 * 60 * 60_000;
const day = (rows: number, deleted: number) => ({ sinceRunningMs: 5, rows, deleted });

test('a day allows 5 % of the rows, or 1,000 if that is more', () => {
  assert.equal(leftOf(day(0, 0)), 1_000);
  assert.equal(leftOf(day(20_000, 400)), 600);
  assert.equal(leftOf(day(1_000_000, 0)), 50_000);
  assert.ok(leftOf(day(100, 1_000)) <= 0);
});

test('a day ends after 24 hours of running', () => {
  assert.ok(!isDayOver(day(1, 1), 4 + DAY_MS));
  assert.ok(isDayOver(day(1, 1), 5 + DAY_MS));
});
