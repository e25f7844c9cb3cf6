// The search for vouchers in the web interface: by code or name, site and state, sorted and in pages.

import type { Actor } from '../audit/actor.ts';
import type { AccessLimits } from '../controller.ts';
import type { BatchId, SiteId, VoucherId } from '../ids.ts';
import type { Voucher } from './voucher.ts';
import type { VoucherState } from './voucher-state.ts';

/** The position in the sort order after which the next page begins. */
export interface SearchMark {
  createdAtS: number;
  /** The sort key for the order by name. */
  nameOrder: string;
  id: number;
}

/** By time or by name, ascending or descending. */
export type VoucherSort = 'newest' | 'oldest' | 'name' | 'name-back';

/** With more sites than this, vouchers can only be sorted by time. */
export const MAX_SITES_BY_NAME = 20;

export interface FoundVoucher extends Voucher, AccessLimits, SearchMark {
  id: VoucherId;
  siteId: SiteId;
  siteName: string;
  /** Belongs to a site of the built-in simulator. */
  isDemo: boolean;
  /** Null for vouchers without an owner: created through the API or on the controller. */
  ownerName: string | null;
  /** Null for vouchers of earlier releases. */
  createdBy: Actor | null;
  batchId: BatchId | null;
  controllerVoucherId: string | null;
  revokedAtS: number | null;
  /** Null if the voucher is not revoked, or if an earlier release revoked it. */
  revokedBy: Actor | null;
}

export interface VoucherSearch {
  /** The sites that the caller may see. */
  siteIds: SiteId[];
  /** Only this voucher. */
  id?: VoucherId;
  /** Only the vouchers of this batch. */
  batchId?: BatchId;
  text?: string;
  state?: VoucherState;
  /** Newest first by default. */
  sort?: VoucherSort;
  after?: SearchMark;
  limit: number;
  nowS: number;
}

export interface FoundVouchers {
  vouchers: FoundVoucher[];
  /** Set if there are more vouchers that were not examined: the search continues from here. */
  lookedUntil?: SearchMark;
}

export interface VoucherFinder {
  search(search: VoucherSearch): Promise<FoundVouchers>;
}

/**
 * The digits of a typed code or its beginning, without dashes and spaces; undefined unless there are 4 to 20 digits and
 * nothing else.
 */
export function toCodePrefix(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{4,20}$/.test(digits) ? digits : undefined;
}

/** Sets the missing name sort key of up to `limit` vouchers of a site; returns the number of these vouchers. */
export type OrderByName = (siteId: SiteId, limit: number) => Promise<number>;
