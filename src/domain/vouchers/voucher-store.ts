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

/** What became of intents that asked for their voucher together. */
export interface Recording {
  created: CreatedVoucher[];
  /** Still open: every candidate is recorded already. */
  left: Intent[];
}

export interface VoucherStore {
  /** The answer given to an earlier request with this ticket, if there was one within its time. */
  findAnswer(
    ticket: IdempotencyTicket,
    nowMs: number,
  ): Promise<Result<CreatedVoucher, IdempotencyProblem> | undefined>;
  /** Opens as many equal intents as asked for. They are durable once it returns. */
  begin(
    intent: NewIntent,
    options?: { count?: number; ticket?: IdempotencyTicket | undefined },
  ): Promise<Result<Intent[], IdempotencyProblem>>;
  /**
   * Claims an unrecorded candidate for each of these equal intents. Writes the voucher, notification, audit entry and
   * stored answer, and deletes the intent, in one transaction. An intent that another process has settled is in
   * neither `created` nor `left`.
   */
  record(intents: Intent[], candidates: UpstreamVoucher[]): Promise<Recording>;
  /**
   * As `record`, for intents whose own vouchers may still appear. Such an intent may claim the voucher of an equal
   * intent. The equal intents then wait for the missing voucher as long as this intent would have waited.
   */
  recover(intents: Intent[], candidates: UpstreamVoucher[]): Promise<Recording>;
  /** Deletes intents whose vouchers provably do not exist, and frees their ticket. False if no intent was left. */
  abandon(intents: Intent[]): Promise<boolean>;
  /** Of one site, or of all. */
  listIntents(siteId?: SiteId): Promise<OpenIntent[]>;
  countIntents(): Promise<number>;
  /** Rises with every change of the site's vouchers; undefined for a site that does not exist. */
  listVersion(siteId: SiteId): Promise<number | undefined>;
  /** Newest first. */
  listNewest(siteId: SiteId, limit: number): Promise<Voucher[]>;
  /** Drops remembered answers whose time is over. */
  forgetOldAnswers(nowMs: number): Promise<number>;
}
