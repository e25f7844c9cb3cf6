// The store that the voucher use cases need. Each method that writes is one transaction, except `record` and `recover`.
//
// An intent is a voucher about to be ordered from the controller. Intents are equal if they have the same site, name
// and limits: their vouchers are interchangeable. A candidate is a voucher on the controller that may belong to an
// intent. Settling means resolving an intent whose request ended without a result.

import type { Result } from '../../platform/values/result.ts';
import type { Actor } from '../audit/actor.ts';
import type { UpstreamOrder, UpstreamVoucher } from '../controllers/controller.ts';
import type { BatchId, IntentId, KeyId, SiteId, UserId, VoucherId } from '../ids.ts';
import type { HeldMessage } from '../messages/message.ts';
import type { OrderProblem } from '../problem.ts';
import type { AcceptedTerms, OrderPurpose } from './order-purpose.ts';
import type { Voucher } from './voucher.ts';
import type { Labels } from './voucher-order.ts';

/**
 * Identifies a repeated request: the Idempotency-Key header, which is unique only per API key, and a hash of the
 * request body.
 */
export interface IdempotencyTicket {
  apiKeyId: KeyId;
  key: string;
  bodyHash: string;
  /**
   * The stored response that this request replaces, because its voucher has ended. If another request has replaced it
   * already, the key is taken.
   */
  replaces?: string;
  /** The key is not freed when its voucher has ended. */
  isKept?: true;
}

/** Why a request with a ticket gets no voucher: an earlier request has taken its Idempotency-Key. */
export type TakenKey =
  | { kind: 'idempotency-key-reused' }
  /** Its vouchers have ended, and the request does not want new ones. */
  | { kind: 'idempotency-key-ended' }
  /** `ageMs`: how long the earlier order has been open, by the store's clock. Absent if it has just ended. */
  | { kind: 'idempotency-in-progress'; ageMs?: number | undefined };

/** What a repeated request gets: the first response, or the ticket for a new order. */
export type Repeated<Response = CreatedVoucher> = { response: Response } | { freed: IdempotencyTicket };

/** Who orders a voucher. */
export interface OrderedBy {
  actor: Actor;
  /** The id of the HTTP request that ordered the voucher, for the log. */
  requestId?: string;
  /** The IP address for the audit log. The intent does not store it, so it is lost if settling records the voucher. */
  ip?: string;
  /** The owner of the voucher. Vouchers ordered through the API have no owner. */
  userId?: UserId;
  /** The batch that the voucher belongs to. A batch gets one notification and one audit entry for all its vouchers. */
  batchId?: BatchId;
  /** The purpose of the order, unless the voucher is simply for its caller. */
  purpose?: OrderPurpose;
  /** The terms that the guest has accepted. */
  terms?: AcceptedTerms;
}

export interface NewIntent extends OrderedBy {
  siteId: SiteId;
  siteName: string;
  order: UpstreamOrder;
  /** The end of the voucher, if one was ordered. The controller does not know it. */
  endsAtS?: number;
  /** What the voucher gets besides. The controller does not know it either. */
  labels?: Labels;
  /** Messages that are sent once the voucher exists. */
  messages?: readonly HeldMessage[];
}

/** A voucher about to be ordered from the controller. It is stored before the order is sent. */
export interface Intent extends NewIntent {
  id: IntentId;
  /** The time by the store's clock, which all instances share. */
  createdAtMs: number;
  /** Whether messages wait for the voucher of this intent. */
  holdsMessages?: true;
}

export interface OpenIntent extends Intent {
  /** The age by the store's clock, so that differences between the clocks of the instances do not matter. */
  ageMs: number;
}

export interface CreatedVoucher {
  /** Always set, except for a voucher in the stock, and in a repeated response that an earlier release has stored. */
  id?: VoucherId;
  code: string;
  siteName: string;
  maxUses: number;
  expireMinutes: number;
  endsAtS?: number;
}

/** The outcome for intents whose vouchers were ordered together. */
export interface Recording {
  created: CreatedVoucher[];
  /** Intents that stay open, because every candidate is already recorded for another intent. */
  left: Intent[];
}

/** A committed change of a site's list. */
export interface SiteListChange {
  siteId: SiteId;
  /** The list version after the change; undefined if there is no such site. */
  version: number | undefined;
  /** The recorded voucher, if recording one voucher was the whole change. */
  recorded?: Voucher | undefined;
}

export interface VoucherStore {
  /** What a request with this ticket gets; undefined if there is no earlier one, or its stored response has expired. */
  findResponse(ticket: IdempotencyTicket, nowMs: number): Promise<Result<Repeated, TakenKey> | undefined>;
  /**
   * Opens `count` equal intents, for a batch at most as many as it still lacks: none if it has ended. They are durable
   * once the promise resolves. Their purpose is claimed in the same transaction, and their messages are counted with
   * those of all instances: if that is not possible, nothing is stored.
   */
  begin(
    intent: NewIntent,
    options?: { count?: number; ticket?: IdempotencyTicket | undefined },
  ): Promise<Result<Intent[], TakenKey | OrderProblem>>;
  /**
   * Claims an unrecorded candidate for each of these equal intents. Writes the voucher, audit entry and stored
   * response, and deletes the intent. All intents share one transaction. Their vouchers share one notification, unless
   * they belong to an open batch. If another process has already settled one of the intents, that transaction is rolled
   * back and each intent is retried in its own; the settled intent is in neither `created` nor `left`. A voucher that
   * is for the stock goes there, and nobody is told of it.
   */
  record(intents: Intent[], candidates: UpstreamVoucher[]): Promise<Recording>;
  /**
   * As `record`, for intents whose own vouchers may still appear on the controller. If such an intent claims a voucher
   * that was created for an older equal intent, the older one has to wait for the voucher of this intent. So the
   * creation time of older equal intents is reset to that of this intent, and settling does not delete them too early.
   */
  recover(intents: Intent[], candidates: UpstreamVoucher[]): Promise<Recording>;
  /**
   * Deletes intents whose vouchers provably do not exist, and their tickets, so that the requests can be repeated.
   * The request of a guest that an intent was opened for waits again.
   * Keeps an intent whose creation time `recover` has reset since it was read. Returns false if it deleted no intent.
   */
  abandon(intents: Intent[]): Promise<boolean>;
  /** The intents of one site, or of all sites. */
  listIntents(siteId?: SiteId): Promise<OpenIntent[]>;
  countIntents(): Promise<number>;
  /** The time by the store's clock, which all instances share. */
  readNowMs(): Promise<number>;
  /** A number that increases with every change to the site's vouchers; undefined for an unknown site. */
  listVersion(siteId: SiteId): Promise<number | undefined>;
  /**
   * On an engine with a change stamp, calls `listener` at each commit of this process that changes a list, before the
   * result of the commit is known to its caller. A change by another process changes the stamp. `listener` must not
   * throw.
   */
  onListChange(listener: (change: SiteListChange) => void): void;
  /** Newest first. */
  listNewest(siteId: SiteId, limit: number): Promise<Voucher[]>;
  /** Raises the list versions for changes that were only noted, because another transaction had locked the site. */
  addNotedChanges(): Promise<void>;
  /** Deletes expired stored responses; returns their number. */
  forgetOldResponses(nowMs: number): Promise<number>;
}
