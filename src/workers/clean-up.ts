// Drops what has served its time: remembered answers older than a day, and notifications that are a month
// old, delivered or not.

import type { Clock } from '../domain/clock.ts';
import type { DeliveryStore } from '../domain/notifications/delivery.ts';
import type { VoucherStore } from '../domain/vouchers/voucher-store.ts';

const EVERY_MS = 60 * 60_000;
const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60_000;

interface Needs {
  vouchers: Pick<VoucherStore, 'forgetOldAnswers'>;
  deliveries: Pick<DeliveryStore, 'forgetFinished' | 'giveUpWaiting'>;
  clock: Clock;
}

export function makeCleanUpTurn({ vouchers, deliveries, clock }: Needs) {
  return async function cleanUpTurn(): Promise<number> {
    await vouchers.forgetOldAnswers(clock.nowMs());
    await deliveries.giveUpWaiting(clock.nowMs() - DELIVERIES_KEPT_MS);
    await deliveries.forgetFinished(clock.nowMs() - DELIVERIES_KEPT_MS);
    return EVERY_MS;
  };
}
