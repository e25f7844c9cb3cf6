// The periods by which users filter vouchers: today, yesterday and the last seven days, in calendar days of a time
// zone.

import { calendarDate, endOfDayMs } from '../../platform/time/calendar-date.ts';
import type { TimeRange } from './voucher-search.ts';

export const CREATED_PERIODS = ['today', 'yesterday', 'week'] as const;

export type CreatedPeriod = (typeof CREATED_PERIODS)[number];

const DAY_MS = 24 * 60 * 60_000;
/** How many days before today the period begins. */
const DAYS_BACK = { today: 0, yesterday: 1, week: 6 } as const satisfies Record<CreatedPeriod, number>;

export function rangeOf(period: CreatedPeriod, nowMs: number, timeZone: string): TimeRange {
  const midnight = Date.parse(calendarDate(nowMs, timeZone));
  const startOfDayS = (daysBack: number) => {
    const dayBefore = new Date(midnight - (daysBack + 1) * DAY_MS).toISOString().slice(0, 10);
    return Math.floor((endOfDayMs(dayBefore, timeZone) ?? midnight) / 1000);
  };
  const fromS = startOfDayS(DAYS_BACK[period]);
  return period === 'yesterday' ? { fromS, beforeS: startOfDayS(0) } : { fromS };
}
