// A batch, which is one or more vouchers that a user creates together in the web interface, or an API key with one
// request. Also defines the store for batches.

import { hash } from 'node:crypto';
import type { Result } from '../../platform/values/result.ts';
import type { Actor } from '../audit/actor.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { FailureCause, VoucherLimits } from '../controllers/controller.ts';
import {
  asBatchId,
  type BatchId,
  type KeyId,
  type ReplacementId,
  type SiteId,
  type UserId,
  type VoucherId,
} from '../ids.ts';
import { statusOf, type Voucher } from '../vouchers/voucher.ts';
import type { VoucherOrder } from '../vouchers/voucher-order.ts';
import type { IdempotencyTicket, Repeated, TakenKey } from '../vouchers/voucher-records.ts';
import type { FoundVoucher } from '../vouchers/voucher-search.ts';

export const MAX_BATCH_SIZE = 500;

export interface NewBatch {
  /** The form already contains the id, so that submitting the form twice creates only one batch. */
  id: BatchId;
  /** Who ordered the batch: either a user or an API key. */
  userId?: UserId;
  apiKeyId?: KeyId;
  order: VoucherOrder;
  wanted: number;
  createdAtMs: number;
  /** Set if the batch replaces lost vouchers. One replacement can have several batches. */
  replacementId?: ReplacementId;
  /** The failed batch that this one tries again, maybe with other values. */
  insteadOf?: BatchId;
  /** The vouchers are handed out from the reserve. Such a batch does not go on by itself. */
  isFromReserve?: true;
}

/**
 * How long a batch goes on by itself in all: after the service was stopped, and after a failure of the controller that
 * may pass.
 */
export const GOES_ON_FOR_MS = 30 * 60_000;

/** Why a batch lacks vouchers, or why it waits. */
export type Why = Pick<Batch, 'problem' | 'cause'>;

/** What an open batch still needs. */
export interface Progress {
  /** How many vouchers may still be ordered. */
  missing: number;
  /** How many vouchers were ordered that may exist on the controller, but are not recorded yet. */
  unsettled: number;
  /** True if the batch no longer goes on by itself. */
  isOver: boolean;
}

/**
 * The id of the batch that takes the missing vouchers of another batch from the reserve. It is always the same, so that
 * several clicks, tabs or users get them only once. Earlier releases also tried a failed batch again with this id.
 */
export function retryIdOf(id: BatchId): BatchId {
  const digits = hash('sha256', `retry of ${id}`);
  return asBatchId(digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'));
}

/** Later, retention may have deleted vouchers of the batch, which would then count as missing. */
export const RETRIED_FOR_MS = 24 * 60 * 60_000;

/** Why a failed batch cannot be resumed. `unsettled`: it is not known yet whether the missing vouchers exist. */
export type NotResumable = 'unsettled' | 'replaced' | 'too-old' | 'mail-unreadable' | 'gone';
export type Resumption = 'resumed' | 'not-needed' | NotResumable;

/** How many vouchers are created if the batch is resumed: those that are certainly missing. */
export function missingFrom(batch: Batch, nowMs: number): number {
  const { endedAtMs, problem, isUncertain, replacementId, replacedBy, wanted, vouchers } = batch;
  if (endedAtMs === null || problem === null || isUncertain || replacementId || replacedBy) return 0;
  return nowMs - endedAtMs < RETRIED_FOR_MS ? Math.max(0, wanted - vouchers.length) : 0;
}

export type BatchVoucher = Voucher & VoucherLimits & { id: VoucherId } & Pick<FoundVoucher, 'consoleName'>;

/** Reasons that do not come from the controller. The same order would not be met from the reserve either. */
const OWN_REASONS = [
  'interrupted',
  'not-allowed',
  'mail-unreadable',
  'site-not-found',
  'out-of-bounds',
  'end-passed',
  'instance-outdated',
  'mail-not-set-up',
  'printer-unknown',
  'too-many-mails',
  'too-many-slips',
  'reserve-off',
];

/**
 * How many vouchers of the reserve would complete the batch, whether it has failed or still waits. Also counts vouchers
 * whose outcome is still open, because their guests are waiting.
 */
export function missingAtDesk(batch: Batch, nowMs: number): number {
  const { endedAtMs, problem, replacementId, wanted, vouchers } = batch;
  if (problem === null || replacementId || OWN_REASONS.includes(problem)) return 0;
  return nowMs - (endedAtMs ?? nowMs) < RETRIED_FOR_MS ? Math.max(0, wanted - vouchers.length) : 0;
}

export interface Batch extends NewBatch {
  siteName: string;
  /** Null for the time zone of the service. */
  siteTimeZone: string | null;
  /** The user or the API key that ordered the batch. The name of a removed user is empty. */
  createdBy: Actor;
  vouchers: BatchVoucher[];
  /** Null while the batch is being created. */
  endedAtMs: number | null;
  /** True if it is not known yet whether the controller has made the missing vouchers. */
  isUncertain: boolean;
  /** The reason why there are fewer vouchers than wanted, or why an open batch waits. */
  problem: string | null;
  /** The cause, if the controller failed and the cause is known. */
  cause: FailureCause | null;
  /** The batch that was ordered instead of this one. */
  replacedBy: BatchId | null;
  /** Until when the batch goes on by itself, while it is open. */
  goesOnUntilMs: number | null;
  /** True if the vouchers are sent by e-mail, but the address cannot be opened. Another attempt would not send them. */
  isMailUnreadable?: true;
}

/** A batch of several vouchers in the list of batches. */
export interface BatchSummary
  extends Pick<Batch, 'id' | 'siteName' | 'createdBy' | 'createdAtMs' | 'endedAtMs'> {
  name: string;
  /** The number of vouchers that the batch has now, and how many of them a guest has used. */
  vouchers: number;
  used: number;
}

export interface BatchSearch {
  /** The sites that the caller may see. */
  siteIds: SiteId[];
  /** Only batches that follow this one in the list, which is sorted newest first. */
  after?: Pick<BatchSummary, 'createdAtMs' | 'id'>;
  limit: number;
}

/** An order that failed, for the user who placed it. */
export type FailedBatch = Pick<Batch, 'id' | 'siteName' | 'createdAtMs'> & { name: string };

export interface FailedSearch {
  userId: UserId;
  siteIds: SiteId[];
  /** Only batches that were created after this time. */
  sinceMs: number;
}

/** A batch that has not ended. Batches of an earlier release and of the reserve do not go on by themselves. */
export type OpenBatch = Pick<Batch, 'id' | 'replacementId' | 'createdBy'> & { goesOn: boolean };

/** Whether the batch is complete and all its vouchers have ended: none of them is of use to a guest. */
export function isOver({ endedAtMs, isUncertain, vouchers }: Batch, nowS: number): boolean {
  return endedAtMs !== null && !isUncertain && vouchers.every((one) => statusOf(one, nowS) === 'expired');
}

export interface BatchStore {
  /**
   * False if a batch with this id already exists, if the idempotency key of the ticket is taken, or if the batch that
   * this one tries again was resumed. Otherwise settles that other batch. A batch from the reserve ends that other
   * batch if it still waits.
   */
  begin(batch: NewBatch, ticket?: IdempotencyTicket): Promise<boolean>;
  /**
   * Opens a failed batch again, unless nothing is missing or it cannot be resumed. Locks the batch, so that it cannot
   * be replaced meanwhile.
   */
  resume(id: BatchId): Promise<Resumption>;
  /** Undefined if the batch has ended. */
  findProgress(id: BatchId): Promise<Progress | undefined>;
  /** Stores why an open batch waits; without a problem, that it no longer waits. */
  noteWait(id: BatchId, why: Why): Promise<void>;
  /** What a request with this ticket gets; undefined if there is no earlier one, or its stored response has expired. */
  findRepeated(
    ticket: IdempotencyTicket,
    nowMs: number,
  ): Promise<Result<Repeated<BatchId>, TakenKey> | undefined>;
  /**
   * Ends the batch, unless it has already ended. Writes one notification and one audit entry for all created vouchers,
   * if there are any. If the batch has fewer vouchers than wanted, the vouchers that it did not replace count as lost
   * again.
   */
  end(id: BatchId, outcome: Why & AuditContext): Promise<void>;
  find(id: BatchId): Promise<Batch | undefined>;
  /** Batches of several vouchers, newest first. */
  list(search: BatchSearch): Promise<BatchSummary[]>;
  listOpen(): Promise<OpenBatch[]>;
  /** The user's batches that failed and are not settled, newest first. Leaves out those that replace lost vouchers. */
  listFailed(search: FailedSearch): Promise<FailedBatch[]>;
  /** Settles all failed batches of the user: they are no longer listed. */
  settleFailed(userId: UserId, atMs: number): Promise<void>;
}
