// Drops what has served its time: remembered answers older than a day, sessions that are over, failed tries
// to sign in, forms that were sent, and notifications that are a month old, delivered or not.

import type { Clock } from '../domain/clock.ts';
import type { DeliveryStore } from '../domain/notifications/delivery.ts';
import { FORGOTTEN_AFTER_MS, type GuessStore } from '../domain/users/guess-limit.ts';
import { HALF_MS, type HalfSignInStore } from '../domain/users/half-sign-in.ts';
import { SENT_FORMS_KEPT_MS, type SentForms } from '../domain/users/sent-forms.ts';
import { ABSOLUTE_MS, IDLE_MS, type WebSessionStore } from '../domain/users/web-session.ts';
import type { VoucherStore } from '../domain/vouchers/voucher-store.ts';

const EVERY_MS = 60 * 60_000;
const DELIVERIES_KEPT_MS = 30 * 24 * 60 * 60_000;

interface Needs {
  webSessions: Pick<WebSessionStore, 'forgetOld'>;
  guesses: Pick<GuessStore, 'forgetOld'>;
  halfSignIns: Pick<HalfSignInStore, 'forgetOld'>;
  sentForms: Pick<SentForms, 'forgetOld'>;
  vouchers: Pick<VoucherStore, 'forgetOldAnswers'>;
  deliveries: Pick<DeliveryStore, 'forgetFinished' | 'giveUpWaiting'>;
  clock: Clock;
}

export function makeCleanUpTurn(needs: Needs) {
  const { vouchers, deliveries, webSessions, guesses, halfSignIns, sentForms, clock } = needs;
  return async function cleanUpTurn(): Promise<number> {
    const nowMs = clock.nowMs();
    await vouchers.forgetOldAnswers(nowMs);
    await webSessions.forgetOld({ createdBeforeMs: nowMs - ABSOLUTE_MS, seenBeforeMs: nowMs - IDLE_MS });
    await guesses.forgetOld(nowMs - FORGOTTEN_AFTER_MS);
    await halfSignIns.forgetOld(nowMs - HALF_MS);
    await sentForms.forgetOld(nowMs - SENT_FORMS_KEPT_MS);
    await deliveries.giveUpWaiting(nowMs - DELIVERIES_KEPT_MS);
    await deliveries.forgetFinished(nowMs - DELIVERIES_KEPT_MS);
    return EVERY_MS;
  };
}
