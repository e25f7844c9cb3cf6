// The list of a site's newest vouchers, and the time until the list changes by itself.

import type { SiteId } from '../ids.ts';
import { expiresAtS, type Voucher } from './voucher.ts';
import type { VoucherStore } from './voucher-store.ts';

export const LIST_SIZE = 200;

export interface VoucherList {
  /** The site's list version, read before the vouchers: if the current version is higher, this list is outdated. */
  version: number | undefined;
  vouchers: Voucher[];
}

export type ListVouchers = (siteId: SiteId) => Promise<VoucherList>;

export function makeListVouchers(vouchers: Pick<VoucherStore, 'listVersion' | 'listNewest'>): ListVouchers {
  return async function listVouchers(siteId) {
    const version = await vouchers.listVersion(siteId);
    return { version, vouchers: await vouchers.listNewest(siteId, LIST_SIZE) };
  };
}

/** The next time at which a voucher of the list becomes `expired`, if any. */
export function nextExpiryS(vouchers: Voucher[], nowS: number): number | undefined {
  let next: number | undefined;
  for (const voucher of vouchers) {
    const endS = expiresAtS(voucher);
    if (endS !== null && endS > nowS && (next === undefined || endS < next)) next = endS;
  }
  return next;
}
