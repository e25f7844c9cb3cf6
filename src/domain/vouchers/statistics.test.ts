// Tests vouchers per day: every day is included, and each voucher counts on the day of its creation in the service's
// time zone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarDate } from '../calendar-date.ts';
import { toDays } from './statistics.ts';

const dateOf = (ms: number) => calendarDate(ms, 'Europe/Berlin');
const hourOf = (iso: string) => Math.floor(Date.parse(iso) / 3_600_000);

test('a voucher created shortly before midnight counts on the day of its creation', () => {
  const perHour = new Map([
    [hourOf('2026-01-13T22:30:00Z'), 2],
    [hourOf('2026-01-13T23:30:00Z'), 3],
    [hourOf('2026-01-10T12:00:00Z'), 9],
  ]);
  assert.deepEqual(toDays(perHour, { days: 3, nowMs: Date.parse('2026-01-15T10:00:00Z'), dateOf }), [
    { date: '2026-01-13', count: 2 },
    { date: '2026-01-14', count: 3 },
    { date: '2026-01-15', count: 0 },
  ]);
});

test('days of 23 and 25 hours are included once', () => {
  for (const now of ['2026-03-30T00:30:00Z', '2026-10-26T23:30:00Z', '2026-10-25T22:30:00Z']) {
    const days = toDays(new Map(), { days: 7, nowMs: Date.parse(now), dateOf });
    assert.equal(days.length, 7, now);
  }
});
