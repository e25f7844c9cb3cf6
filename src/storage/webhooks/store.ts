// The stores for webhooks and deliveries. Each method that writes is one transaction.

import type { DeliveryStore } from '../../domain/webhooks/delivery.ts';
import { toShownUrl, type WebhookStore } from '../../domain/webhooks/webhook.ts';
import { audited } from '../audit/audited.ts';
import { changedInAudit } from '../audit/queries.ts';
import type { Database } from '../database.ts';
import type { Seal } from '../seal.ts';
import { selectDeliveryLog, selectGivenUp } from './delivery-log-queries.ts';
import {
  countWaitingDeliveries,
  deleteFinishedDeliveries,
  giveUpOldDeliveries,
  insertAttempt,
  insertDeliveries,
  insertTest,
  selectDueWebhooks,
  selectNextDelivery,
  updateDelivery,
  updateToWaiting,
  updateWebhookAfterAttempt,
} from './delivery-queries.ts';
import { isOutboxEmpty, takeFromOutbox } from './outbox-queries.ts';
import {
  deleteWebhook,
  insertWebhook,
  selectActiveWebhookIds,
  selectWebhook,
  selectWebhooks,
  updateWebhook,
} from './queries.ts';

export function makeWebhookStore(database: Database, seal: Seal): WebhookStore {
  return {
    list: () => selectWebhooks(database.read, seal),
    find: (id) => selectWebhook(database.read, seal, id),
    add: (webhook, audit) =>
      audited(
        database,
        {
          ...audit,
          action: 'webhook.added',
          subject: (id) => `${id}: ${toShownUrl(webhook.url)} (${webhook.format})`,
        },
        (transaction) => insertWebhook(transaction, seal, { ...webhook, createdAtMs: audit.atMs }),
      ),
    change: (id, change, audit) =>
      audited(
        database,
        { ...audit, action: 'webhook.changed', subject: `${id}: ${changedInAudit(change)}` },
        (transaction) => updateWebhook(transaction, seal, { id, change, now: database.now() }),
      ),
    remove: (id, audit) =>
      audited(database, { ...audit, action: 'webhook.removed', subject: String(id) }, (transaction) =>
        deleteWebhook(transaction, id),
      ),
  };
}

export function makeDeliveryStore(database: Database, seal: Seal): DeliveryStore {
  const now = database.now;
  return {
    async fanOut(limit) {
      if (await isOutboxEmpty(database.read)) return 0;
      return database.write(async (transaction) => {
        const notifications = await takeFromOutbox(transaction, limit);
        await insertDeliveries(transaction, await selectActiveWebhookIds(transaction), notifications);
        return notifications.length;
      });
    },
    listDue: () => selectDueWebhooks(database.read, now()),
    next: (id) => selectNextDelivery(database.read, seal, { id, now: now() }),

    noteAttempt: (delivery, made, verdict) =>
      database.write(async (transaction) => {
        if (!(await updateDelivery(transaction, delivery, verdict.state, now()))) return;
        await insertAttempt(transaction, delivery.id, made, now());
        await updateWebhookAfterAttempt(transaction, delivery.webhook.id, verdict, now());
      }, 'finishes'),
    noteTest: (webhook, notification, { made, verdict }) =>
      database.write(async (transaction) => {
        const state = verdict.failed ? 'given-up' : 'delivered';
        const id = await insertTest(transaction, webhook.id, notification, state, now());
        await insertAttempt(transaction, id, made, now());
        // An administrator who repairs a target sends many tests. A failed test must not delay the waiting deliveries,
        // so it changes the webhook only if the webhook is to be turned off.
        if (!verdict.failed || verdict.offBecause !== null)
          await updateWebhookAfterAttempt(transaction, webhook.id, verdict, now());
      }),

    log: (input) => selectDeliveryLog(database.read, input),
    resend: (id, audit) =>
      audited(database, { ...audit, action: 'delivery.resent', subject: String(id) }, (transaction) =>
        updateToWaiting(transaction, id, now()),
      ),
    countWaiting: () => countWaitingDeliveries(database.read),
    countGivenUp: (sinceMs) => selectGivenUp(database.read, sinceMs),
    giveUpWaiting: (beforeMs) =>
      database.write((transaction) => giveUpOldDeliveries(transaction, beforeMs, now())),
    forgetFinished: (beforeMs) =>
      database.write((transaction) => deleteFinishedDeliveries(transaction, beforeMs)),
  };
}
