// What usage sync needs of storage: which of a controller's vouchers are on record, and how it is told
// what has changed. Each method is one transaction.

import type { UpstreamVoucher } from '../controller.ts';
import type { SiteId, VoucherId } from '../ids.ts';

export interface Usage {
  usedCount: number;
  firstUsedAtS: number | null;
  endedAtS: number | null;
  /** Since when the controller no longer lists it. */
  missingSinceS: number | null;
}

export interface KnownVoucher extends Usage {
  id: VoucherId;
  controllerVoucherId: string;
  maxUses: number;
  createdAtS: number;
}

export interface UsageChange extends Usage {
  id: VoucherId;
}

export interface UsageStore {
  /** Whatever is recorded from now on has a higher number. */
  newestId(): Promise<VoucherId>;
  findKnown(siteId: SiteId, controllerVoucherIds: string[]): Promise<KnownVoucher[]>;
  /** Those the controller should list, in the order of their numbers: the next so many after one of them. */
  pageExpected(siteId: SiteId, afterId: VoucherId, limit: number): Promise<KnownVoucher[]>;
  change(siteId: SiteId, changes: UsageChange[]): Promise<void>;
  /** Those that are on record, or that an open intent could claim, are left out. Says how many were new. */
  importForeign(siteId: SiteId, vouchers: UpstreamVoucher[]): Promise<number>;
}
