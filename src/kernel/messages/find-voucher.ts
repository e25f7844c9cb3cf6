// Finds the voucher of a message when the message is sent. A voucher that has ended meanwhile, or is about to be
// revoked because a newer one replaces it, is not sent.

import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import type { ReadTrustedTime } from '../clock-check/clock-check.ts';
import type { SiteId, VoucherId } from '../ids.ts';
import type { FoundVoucher, VoucherFinder } from '../vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../vouchers/voucher-state.ts';
import { type AttemptOutcome, NOTHING_SENT } from './message.ts';

/** What becomes of a message whose voucher is not sent. */
export const WITHOUT_VOUCHER: Record<'ended' | 'clock-doubted', AttemptOutcome> = {
  ended: { ...NOTHING_SENT, result: 'cancelled', error: 'the voucher has ended' },
  // A clock that is far ahead would cancel the messages of all vouchers.
  'clock-doubted': {
    ...NOTHING_SENT,
    result: 'later',
    pauses: 'message',
    retryAfterMs: null,
    error: 'the voucher has expired by a clock that is doubted',
  },
};

export interface FindVoucherDeps {
  finder: Pick<VoucherFinder, 'search'>;
  readTrustedTime: ReadTrustedTime;
  clock: Clock;
}

export function makeFindVoucher({ finder, readTrustedTime, clock }: FindVoucherDeps) {
  return async function findVoucher(
    siteId: SiteId,
    id: VoucherId,
  ): Promise<FoundVoucher | keyof typeof WITHOUT_VOUCHER> {
    const nowS = toWholeSeconds(clock.nowMs());
    const { vouchers } = await finder.search({ siteIds: [siteId], id, limit: 1, nowS });
    const [voucher] = vouchers;
    const state = voucher && stateOf(voucher, nowS);
    if (voucher?.successorId) return 'ended';
    if (state && !hasEnded(state)) return voucher;
    return state === 'expired' && !(await readTrustedTime()) ? 'clock-doubted' : 'ended';
  };
}
