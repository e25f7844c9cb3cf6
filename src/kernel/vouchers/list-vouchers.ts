// The size of a site's list of vouchers, and the next time at which the list changes because a voucher expires.

import { endOfTimeS, type Voucher } from './voucher.ts';

export const LIST_SIZE = 200;

/** The next time at which a voucher of the list becomes `expired`, if any. */
export function nextExpiryS(vouchers: Voucher[], nowS: number): number | undefined {
  let next: number | undefined;
  for (const voucher of vouchers) {
    const endS = endOfTimeS(voucher);
    if (endS !== null && endS > nowS && (next === undefined || endS < next)) next = endS;
  }
  return next;
}
