// Deletes expired records: stored idempotent responses, sessions, failed and pending logins, one-time form tokens, and
// finished messages and bulk revocations, and what features declare. Gives up messages that have waited for 30 days.
// Every turn first adds the noted changes to the list versions of the sites. While the clock is doubted, it does
// nothing else.

import type { ReadTrustedTime } from '../../clock-check/clock-check.ts';
import type { ChannelRules, MessageQueue } from '../../messages/message.ts';
import { type OneTimeFormStore, SENT_FORMS_KEPT_MS } from '../../sessions/one-time-forms.ts';
import { PENDING_LOGIN_MS, type PendingLoginStore } from '../../sessions/pending-login.ts';
import type { WebSessionStore } from '../../sessions/web-session.ts';
import { FAILURES_FORGOTTEN_AFTER_MS, type LoginThrottleStore } from '../../users/login-throttle.ts';
import type { BulkRevocationStore } from '../bulk-revocation.ts';
import type { VoucherStore } from '../voucher-records.ts';

export const CLEAN_UP_EVERY_MS = 60 * 60_000;
const EVERY_IN_DOUBT_MS = 60_000;
const MESSAGES_KEPT_MS = 30 * 24 * 60 * 60_000;
const BULK_REVOCATIONS_KEPT_MS = 30 * 24 * 60 * 60_000;

interface Deps {
  webSessions: Pick<WebSessionStore, 'forgetOld'>;
  loginThrottle: Pick<LoginThrottleStore, 'forgetOld'>;
  pendingLogins: Pick<PendingLoginStore, 'forgetOld'>;
  oneTimeForms: Pick<OneTimeFormStore, 'forgetOld'>;
  vouchers: Pick<VoucherStore, 'forgetOldResponses' | 'addNotedChanges'>;
  messages: Pick<MessageQueue, 'forgetFinished' | 'giveUpWaiting'>;
  bulkRevocations: Pick<BulkRevocationStore, 'forgetOld'>;
  readTrustedTime: ReadTrustedTime;
}

/** `further`: what the features clean up. */
export function makeCleanUpTurn(
  deps: Deps,
  channels: readonly ChannelRules[],
  further: readonly ((nowMs: number) => Promise<unknown>)[],
) {
  const { vouchers, messages, webSessions, loginThrottle, pendingLogins, oneTimeForms } = deps;
  const { bulkRevocations, readTrustedTime } = deps;
  return async function cleanUpTurn(): Promise<number> {
    await vouchers.addNotedChanges();
    const time = await readTrustedTime();
    if (!time) return EVERY_IN_DOUBT_MS;
    const { nowMs } = time;
    const steps = [
      () => vouchers.forgetOldResponses(nowMs),
      () => webSessions.forgetOld(nowMs),
      () => loginThrottle.forgetOld(nowMs - FAILURES_FORGOTTEN_AFTER_MS),
      () => pendingLogins.forgetOld(nowMs - PENDING_LOGIN_MS),
      () => oneTimeForms.forgetOld(nowMs - SENT_FORMS_KEPT_MS),
      ...channels.map((channel) => () => messages.giveUpWaiting(channel, nowMs - MESSAGES_KEPT_MS)),
      () => messages.forgetFinished(nowMs - MESSAGES_KEPT_MS),
      () => bulkRevocations.forgetOld(nowMs - BULK_REVOCATIONS_KEPT_MS),
      ...further.map((step) => () => step(nowMs)),
    ];
    // A step that fails every time, such as one on a very large table, must not stop the others.
    const failures: unknown[] = [];
    for (const step of steps) await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    return CLEAN_UP_EVERY_MS;
  };
}
