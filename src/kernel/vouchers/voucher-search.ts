// The search for vouchers in the web interface: by code or name, site, state and time of creation, sorted and in pages.

import type { Actor } from '../audit/actor.ts';
import type { VoucherLimits } from '../controllers/controller.ts';
import type { BatchId, ProfileId, SiteId, VoucherId } from '../ids.ts';
import type { Voucher } from './voucher.ts';
import type { VoucherState } from './voucher-state.ts';

/** The position in the sort order after which the next page begins. */
export interface SearchMark {
  createdAtS: number;
  /** The sort key for the order by name. */
  nameSortKey: string;
  id: number;
}

/** By time or by name, ascending or descending. */
export type VoucherSort = 'newest' | 'oldest' | 'name' | 'name-back';

/** With more sites than this, vouchers can only be sorted by time. */
export const MAX_SITES_BY_NAME = 20;

export interface FoundVoucher extends Voucher, VoucherLimits, SearchMark {
  id: VoucherId;
  siteId: SiteId;
  siteName: string;
  /** Null for the time zone of the service. */
  siteTimeZone: string | null;
  /** Whether the voucher belongs to a site of the built-in simulator. */
  isDemo: boolean;
  /** Null for a voucher made through the API or on the controller: it has no owner. Empty if the owner was removed. */
  ownerName: string | null;
  /** Null if an earlier release created the voucher. */
  createdBy: Actor | null;
  batchId: BatchId | null;
  /** How many vouchers were ordered together; 1 for vouchers without a batch. */
  batchSize: number;
  controllerVoucherId: string | null;
  /** The name on the controller, if the voucher was made ahead. Otherwise null. It may be the same name. */
  consoleName: string | null;
  revokedAtS: number | null;
  /** Null if the voucher is not revoked, or if an earlier release revoked it. */
  revokedBy: Actor | null;
  /** The batch that replaces the voucher, if the voucher was lost; `unneeded` if a user wanted no replacement. */
  replacedBy: BatchId | 'unneeded' | null;
  /** The newer voucher of its booking. This one is revoked, now or soon. */
  successorId: VoucherId | null;
  /** What the caller of the API calls the voucher, such as the number of a booking. */
  reference: string | null;
  note: string | null;
  /** The profile that was ordered through the API. It may have been removed since. */
  profileId: ProfileId | null;
}

/** Results are counted up to this number. */
export const MAX_COUNTED = 1_000;

export interface TimeRange {
  fromS: number;
  beforeS?: number;
}

/** `open`: any state of a voucher that has not ended. `running`: `in-use` or `used-up`. */
export type SearchedState = VoucherState | 'open' | 'running';

export interface VoucherSearch {
  /** The sites that the caller may see. */
  siteIds: SiteId[];
  /** Only this voucher. */
  id?: VoucherId;
  /** Only the vouchers of this batch. */
  batchId?: BatchId;
  /** Excludes the vouchers of these batches. */
  notOfBatches?: BatchId[];
  /** Part of a code, a name or a reference. */
  text?: string;
  /** Part of the name, in upper or lower case. */
  name?: string;
  /** The whole reference. */
  reference?: string;
  state?: SearchedState;
  created?: TimeRange;
  /** Newest first by default. */
  sort?: VoucherSort;
  after?: SearchMark;
  /** Whether to count the matching vouchers too. Allowed only for the first page, without `after`. */
  counts?: boolean;
  limit: number;
  nowS: number;
}

export interface FoundVouchers {
  vouchers: FoundVoucher[];
  /** Set if the search has not examined all vouchers. The next search continues after this position. */
  lookedUntil?: SearchMark;
  count?: ResultCount;
}

export interface ResultCount {
  /** At most MAX_COUNTED + 1, which stands for any number above MAX_COUNTED. */
  found: number;
  /** False if more vouchers may match than were found. */
  isComplete: boolean;
}

/** The results of a search that belong to the same batch. */
export interface BatchResults {
  id: BatchId;
  vouchers: number;
  /** How many of them a guest has used. */
  used: number;
  /** How many of them have not ended. */
  open: number;
  /** Whether one of them precedes the position at which the page of the search starts. */
  isOnEarlierPage: boolean;
}

export interface VoucherFinder {
  search(search: VoucherSearch): Promise<FoundVouchers>;
  /** The newest voucher of the site with this code: a controller may use the code of an ended voucher again. */
  findByCode(siteId: SiteId, code: string): Promise<FoundVoucher | undefined>;
  /** The results of the search in each of these batches. Batches without a result are left out. */
  countInBatches(search: VoucherSearch, batchIds: BatchId[]): Promise<BatchResults[]>;
}

/**
 * The typed part of a code, without dashes and without spaces between digits. Undefined unless 3 to 20 digits or
 * letters remain.
 */
export function toCodePart(text: string): string | undefined {
  const part = text.replace(/-|(?<=\d)\s+(?=\d)/g, '').toLowerCase();
  return /^[\da-z]{3,20}$/.test(part) ? part : undefined;
}

export interface SearchIndex {
  /** The last block of voucher ids that are all taken. An open transaction may still add a voucher with one of them. */
  findLastFullBlock(): Promise<number>;
  /** The blocks up to `upTo` that are not in the index. */
  listMissingBlocks(upTo: number): Promise<number[]>;
  add(block: number): Promise<void>;
}

/** Sets the missing name sort key of up to `limit` vouchers of a site; returns the number of these vouchers. */
export type FillNameSortKeys = (siteId: SiteId, limit: number) => Promise<number>;
