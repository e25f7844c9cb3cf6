// The deliveries to webhooks as the service uses them: their store, their part of the queue, and their channel.

import { webhookChannel } from '../../src/features/webhooks/channel/channel.ts';
import { WEBHOOK_CHANNEL } from '../../src/features/webhooks/delivery.ts';
import { readNotification } from '../../src/features/webhooks/notification-payload.ts';
import { isKnownWebhook } from '../../src/features/webhooks/webhook.ts';
import { makeWebhookRecipients } from '../../src/features/webhooks/webhook-recipient-queries.ts';
import { makeDeliveryStore, makeWebhookStore } from '../../src/features/webhooks/webhook-store.ts';
import type { WebhookId } from '../../src/kernel/ids.ts';
import type { Attempt, JoinedMessage, Verdict } from '../../src/kernel/messages/message.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { seal } from './samples.ts';

export type WebhookQueue = ReturnType<typeof makeWebhookQueue>;

export function makeWebhookQueue(database: Database) {
  const queue = makeMessageQueue(database, seal, { webhook: makeWebhookRecipients(seal) });
  const deliveries = makeDeliveryStore(database, seal);
  const webhooks = makeWebhookStore(database, seal);
  const channel = webhookChannel.open(
    { clock: systemClock, webhooks, deliveries, webhookTargets: 'public' },
    { pace: 1 },
  );
  return {
    ...deliveries,
    queue,
    listDue: () => queue.listDue(WEBHOOK_CHANNEL),
    /** The next delivery as it would be sent, with the deliveries that are merged into it. */
    async next(id: WebhookId) {
      const next = await queue.next(WEBHOOK_CHANNEL, id);
      const message =
        next && (await channel.prepare(next, () => queue.listBehind(WEBHOOK_CHANNEL, next, 1_000)));
      const webhook = await webhooks.find(id);
      if (!message || !webhook || !isKnownWebhook(webhook)) return undefined;
      return { ...message, webhook, notification: readNotification(message) };
    },
    noteAttempt: (message: JoinedMessage, made: Attempt, verdict: Verdict) =>
      queue.confirm(WEBHOOK_CHANNEL, message, made, verdict),
    channels: [WEBHOOK_CHANNEL],
    giveUpWaiting: (beforeMs: number) => queue.giveUpWaiting(WEBHOOK_CHANNEL, beforeMs),
    forgetFinished: queue.forgetFinished,
  };
}
