// The store that the voucher use cases need. Each method that writes is one transaction.
//
// An intent is a voucher about to be ordered from the controller. Intents are equal if they have the same site, name
// and limits: their vouchers are interchangeable. A candidate is a voucher on the controller that may belong to an
// intent. Settling means resolving an intent whose request ended without a result.

import type { Actor } from '../audit/actor.ts';
import type { UpstreamOrder, UpstreamVoucher } from '../controller.ts';
import type { BatchId, IntentId, KeyId, SiteId, UserId } from '../ids.ts';
import type { IdempotencyProblem } from '../problem.ts';
import type { Result } from '../result.ts';
import type { Voucher } from './voucher.ts';

/**
 * Identifies a repeated request: the Idempotency-Key header, which is unique only per API key, and a hash of the
 * request body.
 */
export interface IdempotencyTicket {
  apiKeyId: KeyId;
  key: string;
  bodyHash: string;
}

/** Who orders a voucher. */
export interface OrderedBy {
  actor: Actor;
  /** For the audit log. It is not stored with the intent, so it is unknown when settling recovers the voucher. */
  ip?: string;
  /** Absent for vouchers ordered through the API, which have no owner. */
  userId?: UserId;
  /** The batch that the voucher belongs to. A batch gets one notification and one audit entry for all its vouchers. */
  batchId?: BatchId;
}

export interface NewIntent extends OrderedBy {
  siteId: SiteId;
  siteName: string;
  order: UpstreamOrder;
}

/** A voucher about to be ordered upstream, recorded before the first byte is sent. */
export interface Intent extends NewIntent {
  id: IntentId;
  /** By the store's clock, which all instances share. */
  createdAtMs: number;
}

export interface OpenIntent extends Intent {
  /** By the store's clock, so that differences between the clocks of the instances do not matter. */
  ageMs: number;
}

export interface CreatedVoucher {
  code: string;
  siteName: string;
  maxUses: number;
  expireMinutes: number;
}

/** The outcome for intents whose vouchers were ordered together. */
export interface Recording {
  created: CreatedVoucher[];
  /** Intents that stay open, because every candidate is already recorded for another intent. */
  left: Intent[];
}

export interface VoucherStore {
  /** The stored response to an earlier request with this ticket, unless it has expired. */
  findAnswer(
    ticket: IdempotencyTicket,
    nowMs: number,
  ): Promise<Result<CreatedVoucher, IdempotencyProblem> | undefined>;
  /** Opens `count` equal intents. They are durable once the promise resolves. */
  begin(
    intent: NewIntent,
    options?: { count?: number; ticket?: IdempotencyTicket | undefined },
  ): Promise<Result<Intent[], IdempotencyProblem>>;
  /**
   * Claims an unrecorded candidate for each of these equal intents. Writes the voucher, notification, audit entry and
   * stored response, and deletes the intent, in one transaction. An intent that another process has settled is in
   * neither `created` nor `left`; each of the other intents then gets its own transaction.
   */
  record(intents: Intent[], candidates: UpstreamVoucher[]): Promise<Recording>;
  /**
   * As `record`, for intents whose own vouchers may still appear on the controller. Such an intent may claim a voucher
   * that was created for an equal intent. Equal intents that are older are then made as young as this intent, so that
   * settling keeps them open until the voucher of this intent can no longer appear.
   */
  recover(intents: Intent[], candidates: UpstreamVoucher[]): Promise<Recording>;
  /**
   * Deletes intents whose vouchers provably do not exist, and frees their ticket. Keeps an intent whose age `recover`
   * has reset since the intent was read. False if no intent was deleted.
   */
  abandon(intents: Intent[]): Promise<boolean>;
  /** The intents of one site, or of all sites. */
  listIntents(siteId?: SiteId): Promise<OpenIntent[]>;
  countIntents(): Promise<number>;
  /** Increases with every change to the site's vouchers; undefined for an unknown site. */
  listVersion(siteId: SiteId): Promise<number | undefined>;
  /** Newest first. */
  listNewest(siteId: SiteId, limit: number): Promise<Voucher[]>;
  /** Deletes expired stored responses; returns their number. */
  forgetOldAnswers(nowMs: number): Promise<number>;
}
