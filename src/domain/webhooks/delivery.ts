// A delivery: one notification on its way to one webhook, try by try. And what is needed of its store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { DeliveryId, WebhookId } from '../ids.ts';
import type { Notification } from './notification.ts';
import type { Webhook } from './webhook.ts';

export type DeliveryState = 'waiting' | 'delivered' | 'given-up';

/** How one try went. */
export interface Attempt {
  durationMs: number;
  /** Null when there was no answer. */
  status: number | null;
  error: string | null;
  /** The beginning of what the target said; a text of unknown origin. */
  answer: string | null;
  /** How long the target asks to be left alone. */
  retryAfterMs: number | null;
}

/** What follows from a try. */
export interface Verdict {
  state: DeliveryState;
  /** Until the webhook may be called again, for this delivery or the next. */
  pauseMs: number;
  failed: boolean;
  /** Why the webhook is switched off, if it is. */
  offBecause: string | null;
}

export interface WaitingDelivery {
  id: DeliveryId;
  webhook: Webhook;
  notification: Notification;
  /** So far. */
  attempts: number;
}

export interface LoggedDelivery {
  id: DeliveryId;
  webhookId: WebhookId;
  notification: Notification;
  state: DeliveryState;
  attempts: (Omit<Attempt, 'retryAfterMs'> & { atMs: number })[];
  /** Of the one that is next in line; the others wait for it. */
  nextAttemptAtMs: number | null;
}

export interface LogSearch {
  limit: number;
  webhookId?: WebhookId;
  deliveryId?: DeliveryId;
  /** Older than this one. */
  beforeId?: DeliveryId;
}

export interface DeliveryStore {
  /** Turns notifications that are owed into deliveries to all active webhooks; says how many it turned. */
  fanOut(limit: number): Promise<number>;
  /** Webhooks that may be called now and have something waiting. */
  listDue(): Promise<WebhookId[]>;
  /** What is next in line, unless the webhook is off or not to be called yet. */
  next(id: WebhookId): Promise<WaitingDelivery | undefined>;
  noteAttempt(delivery: WaitingDelivery, made: Attempt, verdict: Verdict): Promise<void>;
  /** A try outside of the line, finished whatever came of it. */
  noteTest(
    webhook: Webhook,
    notification: Notification,
    test: { made: Attempt; verdict: Verdict },
  ): Promise<void>;
  /** The newest first. */
  log(input: LogSearch): Promise<LoggedDelivery[]>;
  /** To be delivered again, or at once; false when there is none of that number. */
  resend(id: DeliveryId, audit: AuditContext): Promise<boolean>;
  countWaiting(): Promise<number>;
  /** What was given up since then, by webhook; failed tests are no loss. */
  countGivenUp(sinceMs: number): Promise<Map<WebhookId, number>>;
  /** What happened before that is news no more. */
  giveUpWaiting(beforeMs: number): Promise<void>;
  /** Drops from the log what was finished before. */
  forgetFinished(beforeMs: number): Promise<void>;
}
