// The list of a site's newest vouchers, and for how long what it says stays true by itself.

import type { SiteId } from '../ids.ts';
import { expiresAtS, type Voucher } from './voucher.ts';
import type { VoucherStore } from './voucher-store.ts';

export const LIST_SIZE = 200;

export interface VoucherList {
  /** The site's list version read before the vouchers were: a newer one means this list is old. */
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

/** The next moment at which a voucher of the list turns `expired`, if any will. */
export function nextExpiryS(vouchers: Voucher[], nowS: number): number | undefined {
  let next: number | undefined;
  for (const voucher of vouchers) {
    const endS = expiresAtS(voucher);
    if (endS !== null && endS > nowS && (next === undefined || endS < next)) next = endS;
  }
  return next;
}
