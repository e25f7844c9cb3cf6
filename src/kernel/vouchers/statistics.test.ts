// Tests the days of the statistics: every day is included, and it begins and ends at midnight in the service's time
// zone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lastDays } from './statistics.ts';

const BERLIN = 'Europe/Berlin';
const seconds = (iso: string) => Date.parse(iso) / 1_000;

test('a day begins and ends at midnight in the time zone of the service', () => {
  assert.deepEqual(lastDays(2, Date.parse('2026-01-14T23:30:00Z'), BERLIN), [
    { date: '2026-01-14', fromS: seconds('2026-01-13T23:00:00Z'), beforeS: seconds('2026-01-14T23:00:00Z') },
    { date: '2026-01-15', fromS: seconds('2026-01-14T23:00:00Z'), beforeS: seconds('2026-01-15T23:00:00Z') },
  ]);
});

test('days of 23 and 25 hours are included once, and each begins where the day before ends', () => {
  for (const now of ['2026-03-30T00:30:00Z', '2026-10-26T23:30:00Z', '2026-10-25T22:30:00Z']) {
    const days = lastDays(7, Date.parse(now), BERLIN);
    assert.equal(new Set(days.map(({ date }) => date)).size, 7, now);
    const [, ...starts] = days.map(({ fromS }) => fromS);
    assert.deepEqual(
      starts,
      days.slice(0, -1).map(({ beforeS }) => beforeS),
      now,
    );
    const hours = days.map(({ fromS, beforeS }) => (beforeS - fromS) / 3_600);
    assert.ok(hours.includes(now.startsWith('2026-03') ? 23 : 25), now);
  }
});
