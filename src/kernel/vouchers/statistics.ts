// Voucher statistics: how many vouchers were created on each day, and the state of each site's vouchers. Also defines
// the store.

import { calendarDate, endOfDayMs, startOfDayMs } from '../../platform/time/calendar-date.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import type { SiteId } from '../ids.ts';
import type { VoucherState } from './voucher-state.ts';

export interface VoucherStatistics {
  /** The number of vouchers created on each day. Every call must have the same number of days. */
  perDay(days: Day[]): Promise<DayCount[]>;
  /** The number of vouchers in each state, by site. Vouchers created before `fromS` do not count. */
  perSite(fromS: number, nowS: number): Promise<Map<SiteId, Record<VoucherState, number>>>;
}

/** `date` is YYYY-MM-DD in the service's time zone. */
export interface Day {
  date: string;
  fromS: number;
  beforeS: number;
}

export interface DayCount {
  date: string;
  count: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** The last `count` days, today last. */
export function lastDays(count: number, nowMs: number, timeZone: string): Day[] {
  const today = Date.parse(calendarDate(nowMs, timeZone));
  return Array.from({ length: count }, (_, index) => {
    // Count back in calendar dates, not in hours: a day may have 23 or 25 hours.
    const midnight = today - (count - 1 - index) * DAY_MS;
    const date = new Date(midnight).toISOString().slice(0, 10);
    return {
      date,
      fromS: toWholeSeconds(startOfDayMs(date, timeZone) ?? midnight),
      beforeS: toWholeSeconds(endOfDayMs(date, timeZone) ?? midnight + DAY_MS),
    };
  });
}
