// The expiry date of an API key: the last day on which the key is valid, in the service's time zone. The
// stored value is the moment at which that day ends. The pages and the command line read and show the day.

import { calendarDate, endOfDayMs } from '../../platform/time/calendar-date.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';

const SOON_MS = 14 * 24 * 60 * 60_000;

export type ExpiryProblem = 'not-a-day' | 'day-is-over';

export function readLastDay(
  day: string,
  { timeZone, nowMs }: { timeZone: string; nowMs: number },
): Result<number, ExpiryProblem> {
  const expiresAtMs = endOfDayMs(day, timeZone);
  if (expiresAtMs === undefined) return fail('not-a-day');
  return expiresAtMs > nowMs ? ok(expiresAtMs) : fail('day-is-over');
}

export function lastDayOf(expiresAtMs: number, timeZone: string): string {
  return calendarDate(expiresAtMs - 1, timeZone);
}

/** `soon`: within 14 days. */
export function expiryState(expiresAtMs: number | null, nowMs: number): 'expired' | 'soon' | 'later' {
  if (expiresAtMs === null || expiresAtMs > nowMs + SOON_MS) return 'later';
  return expiresAtMs > nowMs ? 'soon' : 'expired';
}
