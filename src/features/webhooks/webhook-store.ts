// The stores for webhooks and deliveries. Each method that writes is one transaction.

import { changedFields, webhookDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { audited } from '../../kernel/audit/audited-store.ts';
import type { WebhookId } from '../../kernel/ids.ts';
import { insertAttempt } from '../../kernel/messages/message-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import { holdSetting } from '../../platform/database/installation-queries.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { ok } from '../../platform/values/result.ts';
import type { DeliveryStore } from './delivery.ts';
import { selectDeliveryLog, selectGivenUp } from './delivery-log-queries.ts';
import {
  insertDeliveries,
  insertTest,
  isOutboxEmpty,
  requeueDelivery,
  takeFromOutbox,
} from './delivery-queries.ts';
import { type NewWebhook, toShownUrl, type Webhook, type WebhookStore } from './webhook.ts';
import {
  deleteWebhook,
  insertWebhook,
  selectWebhook,
  selectWebhookIdsFor,
  selectWebhooks,
  updateWebhook,
} from './webhook-queries.ts';
import { noteWebhookAttempt } from './webhook-recipient-queries.ts';

/** Methods that read before they write lock `secret_check` first, so that others cannot seal a value in between. */
export function makeWebhookStore(database: Database, seal: Seal): WebhookStore {
  const list = () => selectWebhooks(database.read, seal);

  async function add(transaction: Handle, webhook: NewWebhook, audit: AuditContext): Promise<WebhookId> {
    const { url, format, name = new URL(url).host } = webhook;
    const id = await insertWebhook(transaction, seal, { ...webhook, createdAtMs: audit.atMs });
    const details = { ...webhookDetails({ id, name }), changes: { url: toShownUrl(url), format } };
    await insertAuditEntry(transaction, { ...audit, action: 'webhook.added', details });
    return id;
  }

  return {
    list,
    // Searches the list, because the name may depend on the other webhooks.
    find: async (id) => (await list()).find((webhook) => webhook.id === id),
    findTarget: (id) => selectWebhook(database.read, seal, id),
    add: (webhook, audit) => database.write((transaction) => add(transaction, webhook, audit)),
    addAmong: (decide, audit) =>
      database.write(async (transaction) => {
        await holdSetting(transaction, 'secret_check');
        const decided = decide(await selectWebhooks(transaction, seal));
        if (!decided.ok) return decided;
        return ok({ ...decided.value, id: await add(transaction, decided.value, audit) });
      }),
    replaceSecrets: (id, replace, audit) =>
      database.write(async (transaction) => {
        await holdSetting(transaction, 'secret_check');
        const webhook = await selectWebhook(transaction, seal, id);
        if (!webhook?.secrets) return undefined;
        const secrets = replace(webhook.secrets);
        await updateWebhook(transaction, seal, { id, change: { secrets }, now: database.now() });
        const details = { ...webhookDetails(webhook), fields: ['secrets'] };
        await insertAuditEntry(transaction, { ...audit, action: 'webhook.changed', details });
        return secrets;
      }),
    change: async (id, change, audit) => {
      const fields = changedFields(change);
      const changed = await audited(
        database,
        {
          ...audit,
          action: 'webhook.changed',
          details: (webhook: Webhook) => ({ ...webhookDetails(webhook), fields }),
        },
        async (transaction) => {
          await updateWebhook(transaction, seal, { id, change, now: database.now() });
          return selectWebhook(transaction, seal, id);
        },
      );
      return changed !== undefined;
    },
    remove: async (id, audit) => {
      const removed = await audited(
        database,
        { ...audit, action: 'webhook.removed', details: webhookDetails },
        async (transaction) => {
          const webhook = await selectWebhook(transaction, seal, id);
          return (await deleteWebhook(transaction, id)) ? webhook : undefined;
        },
      );
      return removed !== undefined;
    },
  };
}

export function makeDeliveryStore(database: Database, seal: Seal): DeliveryStore {
  const now = database.now;
  return {
    async fanOut(limit) {
      if (await isOutboxEmpty(database.read)) return 0;
      return database.write(async (transaction) => {
        const notifications = await takeFromOutbox(transaction, limit);
        const webhookIds = await selectWebhookIdsFor(transaction, 'voucher.created');
        await insertDeliveries(transaction, webhookIds, notifications);
        return notifications.length;
      });
    },
    noteTest: (webhook, notification, { made, verdict }) =>
      database.write(async (transaction) => {
        const state = verdict.failed ? 'failed' : 'done';
        const id = await insertTest(transaction, webhook.id, notification, state, now());
        if (id === undefined) return;
        await insertAttempt(transaction, id, made, now());
        // An administrator who repairs a target sends many tests. A failed test must not delay the waiting deliveries,
        // so it changes the webhook only if the webhook is to be turned off.
        if (!verdict.failed || verdict.offBecause !== null)
          await noteWebhookAttempt(transaction, seal, { id: webhook.id, verdict, now: now() });
      }),

    log: (input) => selectDeliveryLog(database.read, input),
    resend: (id, audit) =>
      audited(
        database,
        { ...audit, action: 'delivery.resent', details: { delivery: String(id) } },
        (transaction) => requeueDelivery(transaction, id, now()),
      ),
    countGivenUp: (sinceMs) => selectGivenUp(database.read, sinceMs),
  };
}
