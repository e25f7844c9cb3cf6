// A voucher in the stock: it is made ahead on the controller and handed out later. Until then no list shows it, and a
// sync leaves it alone. Also defines the records of the stock.

import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import type { UpstreamVoucher, VoucherLimits } from '../controllers/controller.ts';
import type { ScreenId, SiteId, StockId } from '../ids.ts';

/** Much longer than it takes from reading a list of the controller to recording its vouchers. */
export const GONE_KEPT_MS = 60 * 60_000;

/**
 * `missing`: the controller does not list it. It is not handed out, and is ready again once it is listed.
 * `leaving`: it must not be handed out any more, and is deleted on the controller.
 * `gone`: it was deleted. It is kept for `GONE_KEPT_MS`, because an order may still claim it from an older list.
 */
export const STOCK_STATES = ['ready', 'missing', 'leaving', 'gone'] as const;
export type StockState = (typeof STOCK_STATES)[number];

export interface StockVoucher extends VoucherLimits {
  id: StockId;
  siteId: SiteId;
  /** Null for the reserve. */
  screenId: ScreenId | null;
  state: OrUnknown<StockState>;
  /** The name on the controller. */
  name: string;
  code: string;
  controllerVoucherId: string | null;
  /** The time by the store's clock. */
  madeAtMs: number;
  /** By the store's clock, too. */
  ageMs: number;
  /** Since when and for how long the controller has not listed it, by the store's clock. Null unless it is missing. */
  missing: { sinceMs: number; forMs: number } | null;
}

export interface StockRecords {
  /** All vouchers in the stock of this site, or of all sites, without those that are gone. */
  list(siteId?: SiteId): Promise<StockVoucher[]>;
  /** Stores the controller's id of a voucher that was stored without one. */
  identify(id: StockId, controllerVoucherId: string): Promise<void>;
  /**
   * Moves vouchers that were used on the controller before they were handed out into the records, as vouchers of the
   * controller. Leaves out those that were handed out meanwhile.
   */
  recordUsed(siteId: SiteId, vouchers: UpstreamVoucher[]): Promise<void>;
  /** Removes vouchers that are recorded already: they belong to somebody. */
  dropRecorded(siteId: SiteId): Promise<void>;
  /** Marks ready vouchers that the controller does not list. */
  markMissing(ids: StockId[]): Promise<void>;
  /** Makes missing vouchers ready again: the controller lists them. */
  markFound(ids: StockId[]): Promise<void>;
  /** Marks vouchers that must not be handed out any more. */
  markLeaving(ids: StockId[]): Promise<void>;
  /** Call it after the controller has deleted the voucher. */
  markGone(id: StockId): Promise<void>;
  /** Removes vouchers that have been gone for long enough. */
  dropGone(siteId: SiteId): Promise<void>;
}
