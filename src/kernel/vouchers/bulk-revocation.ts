// A bulk revocation: many vouchers that a user revokes at once. The set of vouchers is fixed when the revocation
// begins. The outcome of each voucher is stored, so that another process can continue after a crash. Also defines the
// store.

import type { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { ControllerFailure, FailureCause } from '../controllers/controller.ts';
import type { BatchId, BulkRevocationId, SiteId, UserId, VoucherId } from '../ids.ts';
import type { User } from '../users/user.ts';
import type { Revocable } from './revoke-voucher.ts';
import type { Voucher } from './voucher.ts';

export const MAX_REVOKED_AT_ONCE = 10_000;

/**
 * `ended`: the voucher had already ended, so there was nothing to do. `used`: only unused vouchers were wanted, and a
 * guest has used this one in the meantime.
 */
export const BULK_REVOCATION_OUTCOMES = ['failed', 'used', 'ended', 'revoked'] as const;
export type BulkRevocationOutcome = (typeof BULK_REVOCATION_OUTCOMES)[number];

export interface NewBulkRevocation {
  id: BulkRevocationId;
  userId: UserId;
  ip: string;
  vouchers: Pick<Revocable, 'id' | 'siteId'>[];
  /** Set if the unused vouchers of a batch are revoked. */
  batchId: BatchId | null;
  /** Whether to leave out vouchers that a guest uses before their turn comes. */
  onlyUnused: boolean;
  createdAtMs: number;
}

export interface BulkRevocation extends Omit<NewBulkRevocation, 'userId' | 'vouchers'> {
  user: Pick<User, 'id' | 'name' | 'role' | 'active'>;
  siteIds: SiteId[];
  /** Null while the bulk revocation is in progress. */
  endedAtMs: number | null;
}

/** A voucher whose turn has not come yet; `current` is undefined if its record has been deleted. */
export interface AwaitingVoucher {
  id: VoucherId;
  current: (Revocable & Voucher & { revokedAtS: number | null }) | undefined;
}

export interface ReportedVoucher {
  id: VoucherId;
  /** Undefined if the record of the voucher has been deleted since. */
  voucher: Pick<Voucher, 'code' | 'name'> | undefined;
  siteId: SiteId;
  siteName: string;
  problem: string | null;
  cause: FailureCause | null;
}

/** `unknown`: outcomes that only a newer release knows. */
export type BulkRevocationTally = Record<BulkRevocationOutcome | 'awaiting' | typeof UNKNOWN, number>;

export interface BulkRevocationStore {
  begin(revocation: NewBulkRevocation): Promise<void>;
  find(id: BulkRevocationId): Promise<BulkRevocation | undefined>;
  /** The latest bulk revocation of a batch. */
  findOfBatch(id: BatchId): Promise<BulkRevocation | undefined>;
  listOpen(): Promise<BulkRevocationId[]>;
  tally(id: BulkRevocationId): Promise<BulkRevocationTally>;
  listAwaiting(id: BulkRevocationId, siteId: SiteId, limit: number): Promise<AwaitingVoucher[]>;
  noteOutcome(id: BulkRevocationId, voucherId: VoucherId, outcome: 'ended' | 'used'): Promise<void>;
  noteFailure(id: BulkRevocationId, voucherId: VoucherId, failure: ControllerFailure): Promise<void>;
  /** Records this failure for all vouchers of the site that are still awaiting their turn. */
  failRest(id: BulkRevocationId, siteId: SiteId, failure: ControllerFailure): Promise<void>;
  /** Does nothing while vouchers are awaiting their turn. */
  end(id: BulkRevocationId, atMs: number): Promise<void>;
  /**
   * Lets the failed vouchers await their turn again, on behalf of this user. False if no voucher failed, or if the bulk
   * revocation is still in progress.
   */
  retryFailed(id: BulkRevocationId, by: { userId: UserId; ip: string }): Promise<boolean>;
  report(
    id: BulkRevocationId,
    chunk: { outcome: BulkRevocationOutcome; afterId: number; limit: number },
  ): Promise<ReportedVoucher[]>;
  forgetOld(beforeMs: number): Promise<void>;
}
