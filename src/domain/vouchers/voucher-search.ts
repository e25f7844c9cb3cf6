// Finding vouchers again in the web interface: by code or name, site and state, in an order of choice, in pages.

import type { AccessLimits } from '../controller.ts';
import type { BatchId, SiteId, VoucherId } from '../ids.ts';
import type { Voucher, VoucherStatus } from './voucher.ts';

/** Where a page ends; the next one begins after it. */
export interface SearchMark {
  createdAtS: number;
  /** What it is put in order by when that goes by name. */
  nameOrder: string;
  id: number;
}

/** The source of vouchers that were made on the controller; others name a key or a person. */
export const CONTROLLER_SOURCE = 'Controller';

/** By time or by name, each from either end. */
export type VoucherSort = 'newest' | 'oldest' | 'name' | 'name-back';

/** Of more sites than these at once, only time puts vouchers in order. */
export const MAX_SITES_BY_NAME = 20;

export interface FoundVoucher extends Voucher, AccessLimits, SearchMark {
  id: VoucherId;
  siteId: SiteId;
  siteName: string;
  /** Null for those that nobody made here. */
  ownerName: string | null;
  /** As notifications say it; null for vouchers of earlier releases. */
  source: string | null;
  batchId: BatchId | null;
  controllerVoucherId: string | null;
  revokedAtS: number | null;
}

/** What was revoked has ended too, so it is among the expired ones. */
export type SearchedStatus = VoucherStatus | 'revoked';

export interface VoucherSearch {
  /** Those the caller may see. */
  siteIds: SiteId[];
  /** This one only. */
  id?: VoucherId;
  text?: string;
  status?: SearchedStatus;
  /** The newest first, unless something else is wished. */
  sort?: VoucherSort;
  after?: SearchMark;
  limit: number;
  nowS: number;
}

export interface FoundVouchers {
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

/** Gives so many of a site their place by name that have none; returns how many there were. */
export type OrderByName = (siteId: SiteId, limit: number) => Promise<number>;
