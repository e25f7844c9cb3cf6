// What the voucher use cases need of storage. Each method is one transaction.

import type { UpstreamOrder, UpstreamVoucher } from '../controller.ts';
import type { BatchId, IntentId, KeyId, SiteId, UserId } from '../ids.ts';
import type { IdempotencyProblem } from '../problem.ts';
import type { Result } from '../result.ts';
import type { Voucher } from './voucher.ts';

/** Makes a repeated request find the first one: the caller's own key, per API key, and what was asked. */
export interface IdempotencyTicket {
  apiKeyId: KeyId;
  key: string;
  bodyHash: string;
}

/** Who asks for a voucher. */
export interface OrderedBy {
  /** In the words of the notification: `API: <key name>` or `Web: <name>`. */
  source: string;
  /** For the audit log; not known any more when a voucher is recovered. */
  address?: string;
  /** Vouchers of the API belong to nobody. */
  userId?: UserId;
  /** Made together with others, which are announced together. */
  batchId?: BatchId;
}

export interface NewIntent extends OrderedBy {
  siteId: SiteId;
  siteName: string;
  order: UpstreamOrder;
}

/** A voucher that is about to be asked for upstream, on record before the first byte leaves. */
export interface Intent extends NewIntent {
  id: IntentId;
  /** By the clock of the store, which all instances share. */
  createdAtMs: number;
}

export interface OpenIntent extends Intent {
  /** By the same clock: what the clocks of the instances say does not matter. */
  ageMs: number;
}

export interface CreatedVoucher {
  code: string;
  siteName: string;
  maxUses: number;
  expireMinutes: number;
}

/** `all-taken`: each candidate is on record already. `intent-gone`: somebody else has settled it. */
export type Recording = CreatedVoucher | 'all-taken' | 'intent-gone';

export interface VoucherStore {
  /** The answer given to an earlier request with this ticket, if there was one within its time. */
  findAnswer(
    ticket: IdempotencyTicket,
    nowMs: number,
  ): Promise<Result<CreatedVoucher, IdempotencyProblem> | undefined>;
  /** Durable once it returns. */
  begin(intent: NewIntent, ticket?: IdempotencyTicket): Promise<Result<Intent, IdempotencyProblem>>;
  /**
   * Claims the first candidate nobody has recorded and writes voucher, notification, audit entry and
   * stored answer together; the intent is gone then.
   */
  record(intent: Intent, candidates: UpstreamVoucher[]): Promise<Recording>;
  /**
   * The same for an intent whose own voucher may be yet to come, so that it takes one of an equal intent:
   * from then on the others wait for what is to come, as long as this one would have.
   */
  recover(intent: Intent, candidates: UpstreamVoucher[]): Promise<Recording>;
  /** The voucher provably does not exist upstream: forget the intent, free its ticket. False when it is not there. */
  abandon(intent: Intent): Promise<boolean>;
  /** Of one site, or of all. */
  listIntents(siteId?: SiteId): Promise<OpenIntent[]>;
  countIntents(): Promise<number>;
  /** Rises with every change of the site's vouchers; undefined for a site that does not exist. */
  listVersion(siteId: SiteId): Promise<number | undefined>;
  /** Newest first. */
  listNewest(siteId: SiteId, atMost: number): Promise<Voucher[]>;
  /** Drops remembered answers whose time is over. */
  forgetOldAnswers(nowMs: number): Promise<number>;
}
