// A delivery: one notification to one webhook, with its attempts. It is a message of the channel `webhook`. Also
// defines the store.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { DeliveryId, WebhookId } from '../../kernel/ids.ts';
import type { Attempt, AttemptOutcome, ChannelRules, Verdict } from '../../kernel/messages/message.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';
import { NOTIFICATION_KINDS, type Notification, type UnknownNotification } from './notification.ts';
import type { KnownWebhook } from './webhook.ts';

/** Deliveries keep their order, because receivers must learn of an outage before they learn of its end. */
export const WEBHOOK_CHANNEL: ChannelRules = {
  name: 'webhook',
  kinds: NOTIFICATION_KINDS,
  keepsSequence: true,
};

export type DeliveryState = 'waiting' | 'delivered' | 'given-up';

/** Never throws: a missing response is a failed attempt. */
export type SendNotification = (
  webhook: KnownWebhook,
  notification: Notification,
  signal: AbortSignal,
) => Promise<AttemptOutcome>;

export interface LoggedDelivery {
  id: DeliveryId;
  webhookId: WebhookId;
  notification: Notification | UnknownNotification;
  /** `merged`: the delivery was not sent, because its vouchers are counted in the delivery `mergedInto`. */
  state: OrUnknown<DeliveryState | 'merged'>;
  mergedInto: DeliveryId | null;
  attempts: (Attempt & { atMs: number })[];
  /** Set only for the webhook's next delivery; the other deliveries wait for it. */
  nextAttemptAtMs: number | null;
}

export interface LogSearch {
  limit: number;
  webhookId?: WebhookId;
  deliveryId?: DeliveryId;
  /** Only deliveries older than this one. */
  beforeId?: DeliveryId;
}

export interface DeliveryStore {
  /**
   * Turns notifications in the outbox into deliveries to the active webhooks that chose them. Returns the number of
   * notifications that were taken from the outbox.
   */
  fanOut(limit: number): Promise<number>;
  /** Records a test, which is sent outside the queue. Its delivery counts as finished even if the test failed. */
  noteTest(
    webhook: KnownWebhook,
    notification: Notification,
    test: { made: Attempt; verdict: Verdict },
  ): Promise<void>;
  /** Newest first. */
  log(input: LogSearch): Promise<LoggedDelivery[]>;
  /**
   * Sends a finished delivery again, or a waiting one at once. Returns false if there is no such delivery, if this
   * release does not know its kind, or if it is being sent.
   */
  resend(id: DeliveryId, audit: AuditContext): Promise<boolean>;
  /** The number of deliveries given up since `sinceMs`, by webhook. Failed tests do not count. */
  countGivenUp(sinceMs: number): Promise<Map<WebhookId, number>>;
}
