// How many vouchers were made when, and what became of those of each site. What is needed of their store.

import type { SiteId } from '../ids.ts';
import type { VoucherStatus } from './voucher.ts';

export interface VoucherStatistics {
  /** Vouchers by the hour they were made in, counted from 1970; hours without any are left out. */
  perHour(fromS: number): Promise<Map<number, number>>;
  /** Of the vouchers made since then. */
  perSite(fromS: number, nowS: number): Promise<Map<SiteId, Record<VoucherStatus, number>>>;
}

export interface Day {
  /** YYYY-MM-DD in the zone of the service. */
  date: string;
  count: number;
}

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** The last so many days, today last, those without vouchers too. */
export function toDays(
  perHour: Map<number, number>,
  { days, nowMs, dateOf }: { days: number; nowMs: number; dateOf: (ms: number) => string },
): Day[] {
  const counts = new Map<string, number>();
  // By the calendar: a day may have 23 or 25 hours.
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
