// Lost vouchers: unused vouchers of ours that are missing on the controller. Guests cannot use their codes any more. A
// user can replace them by new vouchers with new codes, or note that no replacement is needed.

import type { AuditContext } from '../audit/audit-log.ts';
import type { NewBatch } from '../batches/batch.ts';
import type { BatchId, ReplacementId, SiteId, UserId, VoucherId } from '../ids.ts';
import type { VoucherOrder } from './voucher-order.ts';
import type { FoundVoucher } from './voucher-search.ts';
import { stateOf, wasUsed } from './voucher-state.ts';

/** A loss that was noticed longer ago than this is not reported any more. */
const REPORTED_S = 30 * 24 * 60 * 60;

/** Must follow the same rules as `isLost` in lost-queries.ts. */
export function isLost(voucher: FoundVoucher, nowS: number): boolean {
  const { endedAtS, createdBy, replacedBy } = voucher;
  return (
    endedAtS !== null &&
    endedAtS >= reportedFromS(nowS) &&
    stateOf(voucher, nowS) === 'deleted' &&
    !wasUsed(voucher) &&
    createdBy?.kind !== 'controller' &&
    replacedBy === null
  );
}

export function reportedFromS(nowS: number): number {
  return nowS - REPORTED_S;
}

/** Some of the lost vouchers of a site. */
export interface LostScope {
  siteId: SiteId;
  /** Only the vouchers of this batch. */
  batchId?: BatchId;
  /** Only this voucher. */
  voucherId?: VoucherId;
  /** Only vouchers whose loss was noticed up to this moment, so that nothing is replaced that the user has not seen. */
  untilS: number;
}

/** The lost vouchers of a site are counted often, so only up to this number. */
export const MAX_LOST_COUNTED = 10_000;

export interface LostCount {
  /** At most MAX_LOST_COUNTED + 1, which stands for any number above MAX_LOST_COUNTED. */
  count: number;
  /** When the first of these losses was noticed. */
  noticedAtS: number;
}

/** Lost vouchers with the same name, limits, end and labels. */
export interface LostGroup {
  order: VoucherOrder;
  ids: VoucherId[];
}

export interface NewReplacement {
  /** The form already contains the id, so that submitting the form twice creates only one replacement. */
  id: ReplacementId;
  scope: LostScope;
  userId: UserId;
}

/** A batch of a replacement, with the number of vouchers that were created so far. */
export interface ReplacingBatch extends Pick<NewBatch, 'id' | 'order' | 'wanted'> {
  siteName: string;
  made: number;
  isEnded: boolean;
}

export interface LostVoucherStore {
  /** Contains only sites with lost vouchers. */
  countPerSite(nowS: number): Promise<Map<SiteId, LostCount>>;
  count(scope: LostScope): Promise<number>;
  /** At most `MAX_BATCH_SIZE` vouchers in all, those that were noticed first. */
  listGroups(scope: LostScope): Promise<LostGroup[]>;
  /**
   * Begins one batch for each group and marks its vouchers as replaced. Returns no batches if a replacement with this
   * id already exists, or if none of the vouchers is lost any more.
   */
  beginReplacement(replacement: NewReplacement, by: AuditContext): Promise<NewBatch[]>;
  listReplacing(id: ReplacementId): Promise<ReplacingBatch[]>;
  /** Marks the vouchers as needing no replacement. */
  dismiss(scope: LostScope, by: AuditContext): Promise<void>;
}
