// Limits how much retention deletes in a day, and how many vouchers are deleted on controllers after their end. A wrong
// clock or setting is then noticed before everything is gone.
// A day is 24 hours of the service's running time, so a clock that jumps does not shorten it.

/** `endedVouchers`: vouchers that are deleted on their controllers after their own end. */
export const LIMITED_KINDS = ['vouchers', 'batches', 'auditRows', 'endedVouchers'] as const;
export type LimitedKind = (typeof LIMITED_KINDS)[number];
/** What retention deletes. */
export type DeletedKind = Exclude<LimitedKind, 'endedVouchers'>;

const DAY_MS = 24 * 60 * 60_000;
export const MAX_DAILY_SHARE = 0.05;
/**
 * At least this many rows may be deleted per day, even if 5 % of the table is less. So the limit does not delay
 * deletions in an installation that creates at most this many vouchers a day.
 */
export const MIN_DAILY_LIMIT = 1_000;

/** What was deleted from one table since the day began. */
export interface DeletionDay {
  sinceRunningMs: number;
  /** The number of rows when the day began. */
  rows: number;
  deleted: number;
}

export function isDayOver({ sinceRunningMs }: DeletionDay, runningMs: number): boolean {
  return runningMs >= sinceRunningMs + DAY_MS;
}

export function leftOf({ rows, deleted }: DeletionDay): number {
  return Math.max(MIN_DAILY_LIMIT, Math.floor(rows * MAX_DAILY_SHARE)) - deleted;
}
