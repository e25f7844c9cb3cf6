// The state of a voucher as users see it. The API knows only three statuses (voucher.ts); the web interface also says
// whether a guest has used the voucher, and why it ended.

import { endOfTimeS, type Voucher } from './voucher.ts';

export const VOUCHER_STATES = ['unused', 'in-use', 'used-up', 'expired', 'revoked', 'deleted'] as const;

/**
 * `used-up`: the voucher's time is running, but no further device can log in. `deleted`: the voucher disappeared from
 * the controller before its time was over. From its own end on, a voucher is `expired`, even if it was deleted before.
 */
export type VoucherState = (typeof VOUCHER_STATES)[number];

export function stateOf(voucher: Voucher & { revokedAtS: number | null }, nowS: number): VoucherState {
  const { revokedAtS, endedAtS, endsAtS, maxUses, usedCount } = voucher;
  if (revokedAtS !== null) return 'revoked';
  if (endsAtS !== null && endsAtS <= nowS) return 'expired';
  const endS = endOfTimeS(voucher);
  if (endS !== null && endS <= (endedAtS ?? nowS)) return 'expired';
  if (endedAtS !== null) return endedAtS === movedInEndS(voucher) ? 'expired' : 'deleted';
  if (maxUses > 0 && usedCount >= maxUses) return 'used-up';
  return wasUsed(voucher) ? 'in-use' : 'unused';
}

/**
 * The end of a voucher that was moved in from another tool as expired. The time of its first use is unknown, so the
 * validity is counted from the creation of the voucher, as the other tool did.
 */
export function movedInEndS({
  createdAtS,
  expireMinutes,
}: Pick<Voucher, 'createdAtS' | 'expireMinutes'>): number {
  return createdAtS + expireMinutes * 60;
}

/** Whether a guest has used the voucher, whatever its state is now. */
export function wasUsed({ usedCount, firstUsedAtS }: Pick<Voucher, 'usedCount' | 'firstUsedAtS'>): boolean {
  return usedCount > 0 || firstUsedAtS !== null;
}

/**
 * Whether pages count a voucher in this state under `filter`. A voucher whose devices are all in use is in use, too.
 */
export function countsAs(filter: VoucherState, state: VoucherState): boolean {
  return state === filter || (filter === 'in-use' && state === 'used-up');
}

/** A voucher that has ended is of no use to a guest: pages show no QR code for it and do not print it. */
export function hasEnded(state: VoucherState): boolean {
  return state === 'expired' || state === 'revoked' || state === 'deleted';
}

/** Whether a further device can still log in with the voucher. */
export function isUsable(voucher: UsableVoucher, nowS: number): boolean {
  const { endedAtS, maxUses, usedCount } = voucher;
  const endS = endOfTimeS(voucher);
  const isExpired = endS !== null && endS <= nowS;
  return endedAtS === null && !isExpired && (maxUses === 0 || usedCount < maxUses);
}

type UsableVoucher = Pick<
  Voucher,
  'endedAtS' | 'maxUses' | 'usedCount' | 'firstUsedAtS' | 'expireMinutes' | 'endsAtS'
>;
