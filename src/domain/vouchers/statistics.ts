// Voucher statistics: how many vouchers were created when, and the state of each site's vouchers. Also defines the
// store.

import type { SiteId } from '../ids.ts';
import type { VoucherState } from './voucher-state.ts';

export interface VoucherStatistics {
  /**
   * The number of vouchers by the hour of their creation. Hours are counted from 1970; hours without vouchers are left
   * out.
   */
  perHour(fromS: number): Promise<Map<number, number>>;
  /** The number of vouchers in each state, by site. Vouchers created before `fromS` do not count. */
  perSite(fromS: number, nowS: number): Promise<Map<SiteId, Record<VoucherState, number>>>;
}

export interface Day {
  /** YYYY-MM-DD in the service's time zone. */
  date: string;
  count: number;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The last `days` days, today last, including days without vouchers. */
export function toDays(
  perHour: Map<number, number>,
  { days, nowMs, dateOf }: { days: number; nowMs: number; dateOf: (ms: number) => string },
): Day[] {
  const counts = new Map<string, number>();
  // Count back in calendar dates, not in hours: a day may have 23 or 25 hours.
  const today = Date.parse(dateOf(nowMs));
  for (let back = days - 1; back >= 0; back--)
    counts.set(new Date(today - back * DAY_MS).toISOString().slice(0, 10), 0);
  for (const [hour, count] of perHour) {
    const date = dateOf(hour * HOUR_MS);
    const known = counts.get(date);
    if (known !== undefined) counts.set(date, known + count);
  }
  return [...counts].map(([date, count]) => ({ date, count }));
}
