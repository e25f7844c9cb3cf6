// Tests the expiry date of an API key: the key is valid until the end of its last day in the service's time zone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expiryState, lastDayOf, readLastDay } from './expiry.ts';

const NOW_MS = Date.parse('2026-01-15T11:28:51Z');
const DAY_MS = 24 * 60 * 60_000;
const read = (day: string, timeZone = 'Europe/Berlin', nowMs = NOW_MS) =>
  readLastDay(day, { timeZone, nowMs });

test('a key is valid until its last day ends in the time zone, also when the clocks change', () => {
  const ends: [day: string, timeZone: string, end: string][] = [
    ['2026-01-31', 'Europe/Berlin', '2026-01-31T23:00:00Z'],
    ['2026-07-31', 'Europe/Berlin', '2026-07-31T22:00:00Z'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-29T22:00:00Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25T23:00:00Z'],
    ['2028-02-29', 'UTC', '2028-03-01T00:00:00Z'],
    ['2026-05-01', 'Pacific/Kiritimati', '2026-05-01T10:00:00Z'],
    ['2026-05-01', 'Etc/GMT+12', '2026-05-02T12:00:00Z'],
    // In Chile the clocks change at midnight: this day ends at 23:59:59, and the next begins at 01:00.
    ['2026-09-05', 'America/Santiago', '2026-09-06T04:00:00Z'],
  ];
  for (const [day, timeZone, end] of ends) {
    const expiresAtMs = Date.parse(end);
    assert.deepEqual(read(day, timeZone), { ok: true, value: expiresAtMs }, `${day} ${timeZone}`);
    assert.equal(lastDayOf(expiresAtMs, timeZone), day);
  }
});

test('today is accepted as the last day, yesterday is not', () => {
  assert.equal(read('2026-01-15').ok, true);
  assert.deepEqual(read('2026-01-14'), { ok: false, problem: 'day-is-over' });
});

test('a text that is not a day of the calendar is refused', () => {
  for (const text of [
    '',
    'tomorrow',
    '2026-1-5',
    '2026-02-29',
    '2026-13-01',
    '2026-01-32',
    '0026-01-15',
    '15.01.2026',
  ])
    assert.deepEqual(read(text), { ok: false, problem: 'not-a-day' }, text);
});

test('a key expires soon within 14 days', () => {
  const state = (inMs: number) => expiryState(NOW_MS + inMs, NOW_MS);
  assert.deepEqual(
    [state(0), state(1), state(14 * DAY_MS), state(14 * DAY_MS + 1)],
    ['expired', 'soon', 'soon', 'later'],
  );
  assert.equal(expiryState(null, NOW_MS), 'later');
});
