// Finding vouchers again in the web interface: by code or name, site and state, the newest first, in pages.

import type { AccessLimits } from '../controller.ts';
import type { BatchId, SiteId, VoucherId } from '../ids.ts';
import type { Voucher, VoucherStatus } from './voucher.ts';

export interface FoundVoucher extends Voucher, AccessLimits {
  id: VoucherId;
  siteId: SiteId;
  siteName: string;
  /** Null for those that nobody made here. */
  ownerName: string | null;
  batchId: BatchId | null;
  controllerVoucherId: string | null;
  revokedAtS: number | null;
}

/** Where a page ends; the next one begins after it. */
export interface SearchMark {
  createdAtS: number;
  id: number;
}

export interface VoucherSearch {
  /** Those the caller may see. */
  siteIds: SiteId[];
  /** This one only. */
  id?: VoucherId;
  text?: string;
  status?: VoucherStatus;
  after?: SearchMark;
  atMost: number;
  nowS: number;
}

export interface FoundVouchers {
  /** The newest first. */
  vouchers: FoundVoucher[];
  /** Set when there are more that were not looked at: a search goes on from here. */
  lookedUntil?: SearchMark;
}

export interface VoucherFinder {
  search(search: VoucherSearch): Promise<FoundVouchers>;
}

/** A code as it is typed, dashes and blanks left out; undefined when too little of one is there. */
export function toCodePrefix(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{4,20}$/.test(digits) ? digits : undefined;
}
