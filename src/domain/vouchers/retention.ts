// Which vouchers are old enough to be deleted: those that no longer work, a while after their end. One that
// works, or whose end nobody knows, is never old.

import { toWholeSeconds } from '../clock.ts';
import type { UpstreamVoucher } from '../controller.ts';
import type { Settings } from '../settings/settings.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface Course {
  expireMinutes: number;
  firstUsedAtS: number | null;
  endedAtS: number | null;
  missingSinceS: number | null;
}

/** When it ended or will end, by whichever came first; null while nothing has begun to run. */
export function endOfS({ expireMinutes, firstUsedAtS, endedAtS, missingSinceS }: Course): number | null {
  // Used up and no longer listed, and nobody saw when: it was used before it was missed.
  const begunAtS = firstUsedAtS ?? missingSinceS;
  const expiryS = begunAtS === null ? null : begunAtS + expireMinutes * 60;
  if (expiryS === null || endedAtS === null) return endedAtS ?? expiryS;
  return Math.min(expiryS, endedAtS);
}

/** Null where things are kept for ever. */
export interface KeptFrom {
  /** What ended before is old. */
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

/** A controller may list for years what was deleted here: that is not taken for somebody else's new voucher. */
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
  /** The first and the last of their ends. */
  endedS: { first: number; last: number } | null;
  auditRows: number;
  /** The first and the last of them. */
  auditMs: { first: number; last: number } | null;
}

/** One run: its slices are a transaction each, and all of them together one row of the audit log. */
export interface RetentionRun {
  /** Says how many went, of so many at a time. */
  forgetVouchers(beforeS: number): Promise<number>;
  /** Batches that are that old and have no vouchers: after this one; where to go on, or undefined at the end. */
  forgetBatches(beforeMs: number, afterId: string): Promise<string | undefined>;
  forgetAudit(beforeMs: number, afterId: number): Promise<number | undefined>;
}

export interface RetentionStore {
  preview(from: KeptFrom): Promise<RetentionPreview>;
  begin(atMs: number): RetentionRun;
}
