// Queries for deliveries: notifications as messages to webhooks. Also takes notifications out of the outbox.

import type { RawBuilder } from 'kysely';
import { asDeliveryId, type DeliveryId, type WebhookId } from '../../kernel/ids.ts';
import type { MessageState } from '../../kernel/messages/message.ts';
import { insertMessages, toColumns, updateToWaiting } from '../../kernel/messages/message-queries.ts';
import type { Handle } from '../../platform/database/database.ts';
import { WEBHOOK_CHANNEL } from './delivery.ts';
import type { Notification } from './notification.ts';
import { toPayload } from './notification-payload.ts';
import { dueAtOnce } from './webhook-queries.ts';

export async function insertDeliveries(
  handle: Handle,
  webhookIds: WebhookId[],
  notifications: Notification[],
): Promise<void> {
  for (const id of webhookIds)
    await insertMessages(
      handle,
      WEBHOOK_CHANNEL,
      notifications.map((notification) => toMessage(id, notification)),
    );
}

function toMessage(webhookId: WebhookId, notification: Notification) {
  const { eventId, kind, occurredAtMs } = notification;
  return { recipientId: webhookId, eventId, kind, occurredAtMs, payload: toPayload(notification) };
}

/** Records a test, which is finished at once and does not enter the queue. Undefined if the webhook was removed. */
export async function insertTest(
  handle: Handle,
  webhookId: WebhookId,
  notification: Notification,
  state: MessageState,
  now: RawBuilder<number>,
): Promise<DeliveryId | undefined> {
  const row = await handle
    .insertInto('messages')
    .values({
      ...toColumns(WEBHOOK_CHANNEL.name, toMessage(webhookId, notification)),
      state,
      attempts: 1,
      finished_at_ms: now,
    })
    .returning('id')
    .executeTakeFirst();
  return row && asDeliveryId(row.id);
}

/**
 * Puts the delivery back into the queue, and makes its webhook due. Returns false if there is no such delivery, if this
 * release does not know its kind, or if it is being sent.
 */
export async function requeueDelivery(
  handle: Handle,
  id: DeliveryId,
  now: RawBuilder<number>,
): Promise<boolean> {
  const webhookId = await updateToWaiting(handle, WEBHOOK_CHANNEL, id);
  if (webhookId === undefined) return false;
  await handle
    .updateTable('webhooks')
    .set({ due_at_ms: dueAtOnce(now) })
    .where('id', '=', webhookId)
    .execute();
  return true;
}

export async function isOutboxEmpty(handle: Handle): Promise<boolean> {
  return (await handle.selectFrom('outbox').select('id').limit(1).executeTakeFirst()) === undefined;
}

/** Takes the oldest notifications first. Two concurrent callers never get the same notification. */
export async function takeFromOutbox(handle: Handle, limit: number): Promise<Notification[]> {
  // Read the ids before the deletion. With outdated statistics, PostgreSQL would repeat a subquery for each row.
  const oldest = await handle.selectFrom('outbox').select('id').orderBy('id').limit(limit).execute();
  if (oldest.length === 0) return [];
  const ids = oldest.map(({ id }) => id);
  const rows = await handle.deleteFrom('outbox').where('id', 'in', ids).returningAll().execute();
  return rows
    .sort((one, other) => one.id - other.id)
    .map((row) => ({
      eventId: row.event_id,
      kind: 'voucher.created',
      voucherCount: row.voucher_count,
      siteName: row.site_name,
      source: row.source,
      occurredAtMs: row.created_at_ms,
    }));
}
