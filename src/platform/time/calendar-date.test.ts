// Tests calendarDate: it returns the date in a given time zone, not in UTC. The date prefixes stored voucher names.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calendarDate } from './calendar-date.ts';

const cases: [moment: string, timeZone: string, date: string][] = [
  ['2026-01-15T11:28:51Z', 'Europe/Berlin', '2026-01-15'],
  ['2026-01-14T22:59:59.999Z', 'Europe/Berlin', '2026-01-14'],
  ['2026-01-14T23:00:00.000Z', 'Europe/Berlin', '2026-01-15'],
  ['2026-07-14T21:59:59.999Z', 'Europe/Berlin', '2026-07-14'],
  ['2026-07-14T22:00:00.000Z', 'Europe/Berlin', '2026-07-15'],
  ['2025-12-31T23:30:00Z', 'Europe/Berlin', '2026-01-01'],
  ['2028-02-28T23:30:00Z', 'Europe/Berlin', '2028-02-29'],
  ['2026-01-15T11:28:51Z', 'UTC', '2026-01-15'],
  ['2026-01-15T11:28:51Z', 'Pacific/Kiritimati', '2026-01-16'],
  ['2026-01-15T05:28:51Z', 'America/Los_Angeles', '2026-01-14'],
  ['2026-03-29T01:30:00Z', 'Europe/Berlin', '2026-03-29'],
  ['2026-10-25T00:30:00Z', 'Europe/Berlin', '2026-10-25'],
];

for (const [moment, timeZone, date] of cases)
  test(`${moment} is ${date} in ${timeZone}`, () => {
    assert.equal(calendarDate(Date.parse(moment), timeZone), date);
  });

test('alternating time zones are not mixed up', () => {
  const moment = Date.parse('2026-01-15T11:28:51Z');
  for (let turn = 0; turn < 3; turn++) {
    assert.equal(calendarDate(moment, 'Pacific/Kiritimati'), '2026-01-16');
    assert.equal(calendarDate(moment, 'UTC'), '2026-01-15');
  }
});
