// A delivery: one notification to one webhook, with its attempts. Also defines the store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { DeliveryId, WebhookId } from '../ids.ts';
import type { OrUnknown } from '../unknown-value.ts';
import type { Notification, UnknownNotification } from './notification.ts';
import type { KnownWebhook } from './webhook.ts';

export const DELIVERY_STATES = ['waiting', 'delivered', 'given-up'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The outcome of one attempt. */
export interface Attempt {
  durationMs: number;
  /** Null if there was no response. */
  status: number | null;
  error: string | null;
  /** The beginning of the target's response; a text of unknown origin. */
  answer: string | null;
  /** How long the target asks not to be called again. */
  retryAfterMs: number | null;
}

/** What follows from an attempt. */
export interface Verdict {
  state: DeliveryState;
  /** Time until the webhook may be called again, for this delivery or the next. */
  pauseMs: number;
  failed: boolean;
  /** The reason why the webhook is deactivated; null if it stays active. */
  offBecause: string | null;
}

export interface WaitingDelivery {
  id: DeliveryId;
  webhook: KnownWebhook;
  /** Of a chat, with the vouchers of the merged deliveries. */
  notification: Notification;
  /** The number of attempts so far. */
  attempts: number;
  /** Later deliveries that need no message of their own if this one is delivered. */
  merged: DeliveryId[];
}

export interface LoggedDelivery {
  id: DeliveryId;
  webhookId: WebhookId;
  notification: Notification | UnknownNotification;
  /** `merged`: its vouchers were counted in the message of the delivery `mergedInto`. */
  state: OrUnknown<DeliveryState | 'merged'>;
  mergedInto: DeliveryId | null;
  attempts: (Omit<Attempt, 'retryAfterMs'> & { atMs: number })[];
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
  /** Turns notifications in the outbox into deliveries to the active webhooks that chose them; returns their number. */
  fanOut(limit: number): Promise<number>;
  /** Webhooks that may be called now and have waiting deliveries. */
  listDue(): Promise<WebhookId[]>;
  /**
   * The next delivery in the queue, unless the webhook is inactive or may not be called yet. A message to a chat counts
   * the vouchers of all waiting deliveries for the same site and source.
   */
  next(id: WebhookId): Promise<WaitingDelivery | undefined>;
  /** If the delivery succeeded, its merged deliveries are finished too. */
  noteAttempt(delivery: WaitingDelivery, made: Attempt, verdict: Verdict): Promise<void>;
  /** Records an attempt outside the queue; the delivery is finished whatever the outcome. */
  noteTest(
    webhook: KnownWebhook,
    notification: Notification,
    test: { made: Attempt; verdict: Verdict },
  ): Promise<void>;
  /** Newest first. */
  log(input: LogSearch): Promise<LoggedDelivery[]>;
  /** Sends a finished delivery again, or a waiting delivery at once; false if this release knows no such delivery. */
  resend(id: DeliveryId, audit: AuditContext): Promise<boolean>;
  /** Deliveries given up since then, by webhook; failed tests do not count. */
  countGivenUp(sinceMs: number): Promise<Map<WebhookId, number>>;
  /** Gives up waiting deliveries of events before `beforeMs`, which are too old to be of interest. */
  giveUpWaiting(beforeMs: number): Promise<void>;
  /** Deletes deliveries that finished before `beforeMs` from the log. */
  forgetFinished(beforeMs: number): Promise<void>;
}
