// Decides which vouchers are old enough to be deleted: vouchers that no longer work, some time after their end. A
// voucher that works, or whose end is unknown, is never old.

import { toWholeSeconds } from '../../platform/time/clock.ts';
import type { TrustedTime } from '../clock-check/clock-check.ts';
import type { UpstreamVoucher } from '../controllers/controller.ts';
import type { Settings } from '../settings/settings.ts';
import type { DeletedKind, LimitedKind } from './deletion-limit.ts';
import type { KnownVoucher } from './usage-records.ts';

const DAY_MS = 24 * 60 * 60_000;
/** How long IP addresses are kept whole: long enough to examine an attack. */
export const WHOLE_IP_DAYS = 7;

export type VoucherLifetime = Pick<
  KnownVoucher,
  'expireMinutes' | 'firstUsedAtS' | 'endedAtS' | 'missingSinceS'
>;

/** The voucher's expiry or its recorded end, whichever is earlier; null if it has neither. */
export function endOfS({
  expireMinutes,
  firstUsedAtS,
  endedAtS,
  missingSinceS,
}: VoucherLifetime): number | null {
  // If a voucher was used up between two syncs, the time of its use is unknown. The voucher was used before it went
  // missing, so this calculation gives its latest possible end.
  const begunAtS = firstUsedAtS ?? missingSinceS;
  const expiryS = begunAtS === null ? null : begunAtS + expireMinutes * 60;
  if (expiryS === null || endedAtS === null) return endedAtS ?? expiryS;
  return Math.min(expiryS, endedAtS);
}

/** The times before which data is old enough to be deleted. Null means that the data is kept for ever. */
export interface KeptFrom {
  /** Vouchers that ended before this time are old. */
  vouchersS: number | null;
  auditMs: number | null;
}

export function keptFrom(
  { keepVouchersDays, keepAuditDays }: Pick<Settings, 'keepVouchersDays' | 'keepAuditDays'>,
  nowMs: number,
): KeptFrom {
  return {
    vouchersS: keepVouchersDays === null ? null : toWholeSeconds(nowMs - keepVouchersDays * DAY_MS),
    auditMs: keepAuditDays === null ? null : nowMs - keepAuditDays * DAY_MS,
  };
}

/** IP addresses of audit entries before this time are shortened; null means never. */
export function wholeIpsFromMs({ shortensIps }: Pick<Settings, 'shortensIps'>, nowMs: number): number | null {
  return shortensIps ? nowMs - WHOLE_IP_DAYS * DAY_MS : null;
}

/**
 * A controller may still list, for years, a voucher that was deleted here. Such a voucher is not imported as a new
 * foreign voucher.
 */
export function isTooOldToImport(
  { expireMinutes, firstUsedAtMs }: UpstreamVoucher,
  vouchersS: number | null,
): boolean {
  const firstUsedAtS = firstUsedAtMs === null ? null : toWholeSeconds(firstUsedAtMs);
  const endS = endOfS({ expireMinutes, firstUsedAtS, endedAtS: null, missingSinceS: null });
  return vouchersS !== null && endS !== null && endS < vouchersS;
}

export interface RetentionPreview {
  vouchers: number;
  /** The earliest and the latest end of the vouchers that would be deleted. */
  endedS: { first: number; last: number } | null;
  auditRows: number;
  /** The times of the first and the last audit row that would be deleted. */
  auditMs: { first: number; last: number } | null;
}

/** What a run has deleted so far, and the kinds that it stopped deleting at their daily limit. */
export interface RetentionReport extends Record<DeletedKind, number> {
  heldBack: DeletedKind[];
}

/** One retention run: each slice is one transaction, and the whole run is one row of the audit log. */
export interface RetentionRun {
  /** Deletes one slice of old vouchers and returns the number of deleted vouchers. */
  forgetVouchers(beforeS: number): Promise<number>;
  /**
   * Examines one slice of batches after `afterId` and deletes old batches without vouchers. Returns the id to continue
   * after, or undefined at the end.
   */
  forgetBatches(beforeMs: number, afterId: string): Promise<string | undefined>;
  forgetAudit(beforeMs: number, afterId: number): Promise<number | undefined>;
  /** Shortens the IP addresses of one slice; true if more may follow. Continues where the last run ended. */
  shortenIps(beforeMs: number, nowMs: number): Promise<boolean>;
  report(): RetentionReport;
}

export interface RetentionStore {
  preview(from: KeptFrom): Promise<RetentionPreview>;
  /** `isLimited` is called before each slice and says whether the daily limit applies. */
  begin(time: TrustedTime, isLimited: () => boolean): RetentionRun;
  /** The kinds that have reached their daily limit. */
  listHeldBack(): Promise<LimitedKind[]>;
}
