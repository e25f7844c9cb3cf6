// The deliveries to webhooks as the service uses them: their store, their part of the queue, and their channel.

import { webhookChannel } from '../../src/channels/webhook/channel.ts';
import { systemClock } from '../../src/domain/clock.ts';
import type { WebhookId } from '../../src/domain/ids.ts';
import type { Attempt, JoinedMessage, Verdict } from '../../src/domain/messages/message.ts';
import { WEBHOOK_CHANNEL } from '../../src/domain/webhooks/delivery.ts';
import { readNotification } from '../../src/domain/webhooks/notification-payload.ts';
import { isKnownWebhook } from '../../src/domain/webhooks/webhook.ts';
import type { Database } from '../../src/storage/database.ts';
import { makeMessageQueue } from '../../src/storage/messages/store.ts';
import { makeDeliveryStore, makeWebhookStore } from '../../src/storage/webhooks/store.ts';
import { makeWebhookRecipients } from '../../src/storage/webhooks/webhook-recipients.ts';
import { seal } from './samples.ts';

export type WebhookQueue = ReturnType<typeof makeWebhookQueue>;

export function makeWebhookQueue(database: Database) {
  const queue = makeMessageQueue(database, seal, { webhook: makeWebhookRecipients(seal) });
  const deliveries = makeDeliveryStore(database, seal);
  const webhooks = makeWebhookStore(database, seal);
  const channel = webhookChannel.open({
    clock: systemClock,
    webhooks,
    deliveries,
    webhookTargets: 'public',
    pace: 1,
  });
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
