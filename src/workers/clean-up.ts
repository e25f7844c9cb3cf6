// Drops what has served its time: remembered answers older than a day.

import type { Clock } from '../domain/clock.ts';
import type { VoucherStore } from '../domain/vouchers/voucher-store.ts';

const EVERY_MS = 60 * 60_000;

export function makeCleanUpTurn(vouchers: Pick<VoucherStore, 'forgetOldAnswers'>, clock: Clock) {
  return async function cleanUpTurn(): Promise<number> {
    await vouchers.forgetOldAnswers(clock.nowMs());
    return EVERY_MS;
  };
}
