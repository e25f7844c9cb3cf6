// Deletes expired records: stored idempotent responses, sessions, failed and pending logins, one-time form tokens, guest
// links, and finished messages and bulk revocations. Gives up messages that have waited for 30 days, cancels mails whose
// link has ended, and lets guests' requests and the result pages of kiosks expire. Every turn first adds the noted changes to the list versions of the
// sites. While the clock is doubted, it does nothing else.

import type { GuestLinkStore } from '../../../features/guest-pages/guest-link.ts';
import type { CancelEndedLinks } from '../../../features/mail/account-mail.ts';
import type { GuestRequestStore } from '../../../features/requests/guest-request.ts';
import type { ScreenStore } from '../../../features/screens/screen.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
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
/** A sync may find a voucher again that counted as ended. */
const GUEST_LINKS_KEPT_MS = 7 * 24 * 60 * 60_000;

interface Deps {
  webSessions: Pick<WebSessionStore, 'forgetOld'>;
  loginThrottle: Pick<LoginThrottleStore, 'forgetOld'>;
  pendingLogins: Pick<PendingLoginStore, 'forgetOld'>;
  oneTimeForms: Pick<OneTimeFormStore, 'forgetOld'>;
  vouchers: Pick<VoucherStore, 'forgetOldResponses' | 'addNotedChanges'>;
  messages: Pick<MessageQueue, 'forgetFinished' | 'giveUpWaiting'>;
  bulkRevocations: Pick<BulkRevocationStore, 'forgetOld'>;
  guestLinks: Pick<GuestLinkStore, 'forgetEnded'>;
  guestRequests: Pick<GuestRequestStore, 'expire'>;
  screens: Pick<ScreenStore, 'forgetOldResults'>;
  cancelEndedLinks: CancelEndedLinks;
  readTrustedTime: ReadTrustedTime;
}

export function makeCleanUpTurn(deps: Deps, channels: readonly ChannelRules[]) {
  const { vouchers, messages, webSessions, loginThrottle, pendingLogins, oneTimeForms } = deps;
  const { bulkRevocations, guestLinks, guestRequests, screens, cancelEndedLinks, readTrustedTime } = deps;
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
      () => cancelEndedLinks(nowMs),
      () => bulkRevocations.forgetOld(nowMs - BULK_REVOCATIONS_KEPT_MS),
      () => guestRequests.expire(nowMs),
      () => screens.forgetOldResults(),
      () => guestLinks.forgetEnded(toWholeSeconds(nowMs - GUEST_LINKS_KEPT_MS)),
    ];
    // A step that fails every time, such as one on a very large table, must not stop the others.
    const failures: unknown[] = [];
    for (const step of steps) await step().catch((error) => failures.push(error));
    if (failures.length > 0) throw failures[0];
    return CLEAN_UP_EVERY_MS;
  };
}
