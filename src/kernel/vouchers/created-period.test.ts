// Tests the periods of the voucher search: calendar days of the time zone, also when clocks change.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeOf } from './created-period.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

test('a day begins at midnight of the time zone', () => {
  const nowMs = Date.parse('2026-11-15T23:30:00Z');
  assert.deepEqual(rangeOf('today', nowMs, 'Europe/Berlin'), { fromS: seconds('2026-11-15T23:00:00Z') });
  assert.deepEqual(rangeOf('today', nowMs, 'UTC'), { fromS: seconds('2026-11-15T00:00:00Z') });
  assert.deepEqual(rangeOf('yesterday', nowMs, 'Europe/Berlin'), {
    fromS: seconds('2026-11-14T23:00:00Z'),
    beforeS: seconds('2026-11-15T23:00:00Z'),
  });
});

test('seven days are today and the six days before, and yesterday may have 25 hours', () => {
  const nowMs = Date.parse('2026-10-26T11:00:00Z');
  assert.deepEqual(rangeOf('week', nowMs, 'Europe/Berlin'), { fromS: seconds('2026-10-19T22:00:00Z') });
  assert.deepEqual(rangeOf('yesterday', nowMs, 'Europe/Berlin'), {
    fromS: seconds('2026-10-24T22:00:00Z'),
    beforeS: seconds('2026-10-25T23:00:00Z'),
  });
});
