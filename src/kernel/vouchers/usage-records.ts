// The store that usage sync needs: it knows which of a controller's vouchers are recorded, and writes what has changed.
// Each method is one transaction.

import type { UpstreamVoucher } from '../controllers/controller.ts';
import type { SiteId, VoucherId } from '../ids.ts';

export interface Usage {
  usedCount: number;
  firstUsedAtS: number | null;
  endedAtS: number | null;
  /** Since when the controller no longer lists the voucher. */
  missingSinceS: number | null;
}

export interface KnownVoucher extends Usage {
  id: VoucherId;
  controllerVoucherId: string;
  maxUses: number;
  expireMinutes: number;
  createdAtS: number;
  endsAtS: number | null;
}

export interface UsageChange extends Usage {
  id: VoucherId;
}

export interface UsageStore {
  /** The highest id of all vouchers. Vouchers that are recorded later have a higher id. */
  newestId(): Promise<VoucherId>;
  findKnown(siteId: SiteId, controllerVoucherIds: string[]): Promise<KnownVoucher[]>;
  /** Vouchers that the controller should list, by ascending id: the next `limit` vouchers after `afterId`. */
  readExpected(siteId: SiteId, afterId: VoucherId, limit: number): Promise<KnownVoucher[]>;
  /**
   * The controller's ids of some valid vouchers that the controller should list: the newest, then the oldest. If it has
   * none of them, it is hardly the same controller: others may have deleted some since the last sync, but not all.
   */
  sampleExpected(siteId: SiteId): Promise<string[]>;
  change(siteId: SiteId, changes: UsageChange[]): Promise<void>;
  /**
   * Calls `adopt`, and then records the vouchers that others created. Skips vouchers that are already recorded or that
   * an open intent could claim. Returns how many vouchers it recorded.
   */
  importForeign(siteId: SiteId, vouchers: UpstreamVoucher[]): Promise<number>;
  /** If a recorded voucher lacks the controller's id, stores the id of the listed voucher with the same code. */
  adopt(siteId: SiteId, vouchers: UpstreamVoucher[]): Promise<void>;
}
