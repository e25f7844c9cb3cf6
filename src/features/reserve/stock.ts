// The stock: vouchers that are made ahead on the controller and handed out later. Each is either the next voucher of a
// screen with a rolling code, or part of the reserve of a site. Until it is handed out, no list shows it.

import type { Actor } from '../../kernel/audit/actor.ts';
import type { VoucherLimits } from '../../kernel/controllers/controller.ts';
import type {
  BatchId,
  GuestRequestId,
  IntentId,
  ProfileId,
  ScreenId,
  SiteId,
  UserId,
  VoucherId,
} from '../../kernel/ids.ts';
import type { HeldMessage } from '../../kernel/messages/message.ts';
import type { StockRecords, StockState } from '../../kernel/stock/stock-voucher.ts';
import type { AcceptedTerms } from '../../kernel/vouchers/order-purpose.ts';
import type { Labels } from '../../kernel/vouchers/voucher-order.ts';
import type { CreatedVoucher } from '../../kernel/vouchers/voucher-records.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';

export const MAX_RESERVE = 500;
/** The number that the page suggests. */
export const SUGGESTED_RESERVE = 20;
/** The overview warns if a smaller share of the wanted vouchers is ready. */
export const LOW_RESERVE = 0.5;
/** A voucher in the reserve is replaced after this time: some controllers delete vouchers that nobody uses. */
export const RESERVE_KEPT_MS = 30 * 24 * 60 * 60_000;
/** The name of reserve vouchers on the controller, after the date. It is the same word in German and English. */
export const RESERVE_NAME = 'Reserve';

/**
 * A voucher that the controller has not listed for this time leaves the stock. Until then the list may have been wrong.
 */
export const MISSING_KEPT_MS = 7 * 24 * 60 * 60_000;

/** What the stock of a site should contain: its reserve, or the next voucher of a screen. */
export interface StockTarget {
  siteId: SiteId;
  /** Null for the reserve. */
  screenId: ScreenId | null;
  /** The name of the vouchers on the controller, without the date. */
  name: string;
  /** The vouchers get the limits of the first profile that still exists. Empty for the default limits. */
  profileIds: ProfileId[];
  wanted: number;
  /** False for a screen that nobody looks at: it keeps its voucher, but no new one is ordered. */
  isAwaited: boolean;
}

/** The vouchers of a site in the stock that are equal, counted. */
export interface StockGroup extends VoucherLimits {
  siteId: SiteId;
  /** Null for the reserve. */
  screenId: ScreenId | null;
  state: OrUnknown<StockState>;
  count: number;
  /** The age of the oldest voucher of the group, by the store's clock. */
  oldestMs: number;
  /** For how long the controller has not listed one of them, by the store's clock. 0 unless missing or gone. */
  missingForMs: number;
}

export interface StockCount {
  siteId: SiteId;
  purpose: 'reserve' | 'screen';
  ready: number;
}

export interface Reserve {
  siteId: SiteId;
  /** 0 if the site keeps no reserve. */
  wanted: number;
  /** Null for the default limits. */
  profileId: ProfileId | null;
}

export interface ReserveCount extends Reserve {
  ready: number;
}

/** Who gets a voucher from the reserve, and what is recorded with it. */
export interface HandOut {
  siteId: SiteId;
  /** The name as it was typed. The record gets it with the date of the day. */
  name: string;
  actor: Actor;
  userId?: UserId;
  ip?: string;
  requestId?: string;
  screenId?: ScreenId;
  /** The batch that the voucher belongs to. An open batch gets one notification and one audit entry for all. */
  batchId?: BatchId;
  labels?: Labels;
  terms?: AcceptedTerms;
  /** They are sent at once. */
  messages?: readonly HeldMessage[];
  /** The open intents of the order that failed before: if their vouchers still appear, they are discarded. */
  replaces?: readonly IntentId[];
  /** The request of a guest that is approved with the voucher. */
  guestRequestId?: GuestRequestId;
}

export interface StockStore extends StockRecords {
  findReserve(siteId: SiteId): Promise<ReserveCount>;
  /** The sites that keep a reserve or have vouchers left of an earlier reserve. */
  listReserves(): Promise<ReserveCount[]>;
  /** What is in the stock of all sites, without reading each voucher. */
  listGroups(): Promise<StockGroup[]>;
  /**
   * Takes the oldest ready voucher out of the reserve and records it as handed out now, in one transaction with its
   * audit entry, notification and messages. Each voucher is handed out once, by one instance. Undefined if the
   * reserve is empty. A screen also needs a free place: `screen-limit`.
   */
  handOut(
    order: HandOut & { storedName: string },
  ): Promise<CreatedVoucher | 'screen-limit' | 'request-decided' | undefined>;
  listTargets(): Promise<StockTarget[]>;
  /** Only active sites. 0 if nothing is left of a reserve, or for screens that somebody looks at. */
  countReady(): Promise<StockCount[]>;
}

/** A reserve voucher that was handed out. */
export type HandedOut = CreatedVoucher & { id: VoucherId };
