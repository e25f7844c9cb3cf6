// Queries for deliveries: the queue of each webhook, and the attempts.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import { asDeliveryId, asWebhookId, type DeliveryId, type WebhookId } from '../../domain/ids.ts';
import { UNKNOWN } from '../../domain/unknown-value.ts';
import {
  type Attempt,
  DELIVERY_STATES,
  type DeliveryState,
  type Verdict,
  type WaitingDelivery,
} from '../../domain/webhooks/delivery.ts';
import type { Notification } from '../../domain/webhooks/notification.ts';
import { FORMATS, isKnownWebhook, PLATFORMS } from '../../domain/webhooks/webhook.ts';
import type { Handle } from '../database.ts';
import type { Tables } from '../schema.ts';
import type { Seal } from '../seal.ts';
import { isKnownKind, toColumns, toMergedDetails, toNotification } from './notification-columns.ts';
import { selectWebhook, soon } from './queries.ts';

/** A literal: the partial index of waiting deliveries is found by the text of this condition. */
export const IS_WAITING = sql<boolean>`coalesce(event_state, state) = 'waiting'`;

const isKnownState = sql<boolean>`coalesce(event_state, state) in (${sql.join(DELIVERY_STATES.map((state) => sql.lit(state)))})`;

/** Changes the column in which this delivery has its state (see migration 14). */
function stateColumns(state: DeliveryState) {
  return {
    state: sql<string>`case when event_state is null then ${state} else state end`,
    event_state: sql<string | null>`case when event_state is null then null else ${state} end`,
  };
}

/** Ids rise in the order of the notifications, so the queue of each webhook is in that order too. */
export async function insertDeliveries(
  handle: Handle,
  webhookIds: WebhookId[],
  notifications: Notification[],
): Promise<void> {
  if (notifications.length === 0) return;
  for (const id of webhookIds)
    await handle
      .insertInto('deliveries')
      .values(
        notifications.map((notification) => ({ webhook_id: id, ...toColumns(notification, 'waiting') })),
      )
      .execute();
}

export async function selectDueWebhooks(handle: Handle, now: RawBuilder<number>): Promise<WebhookId[]> {
  const rows = await handle
    .selectFrom('webhooks')
    .select('id')
    .where('active', '=', 1)
    .where('format', 'in', FORMATS)
    .where((eb) => eb.or([eb('platform', 'is', null), eb('platform', 'in', PLATFORMS)]))
    .where(isDue(now))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.id')
          .whereRef('deliveries.webhook_id', '=', 'webhooks.id')
          .where(IS_WAITING)
          .where(isKnownKind),
      ),
    )
    .execute();
  return rows.map(({ id }) => asWebhookId(id));
}

export async function selectNextDelivery(
  handle: Handle,
  seal: Seal,
  { id, now }: { id: WebhookId; now: RawBuilder<number> },
): Promise<WaitingDelivery | undefined> {
  const row = await handle
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .selectAll('deliveries')
    .where('webhook_id', '=', id)
    .where(IS_WAITING)
    .where(isKnownKind)
    .where('active', '=', 1)
    .where(isDue(now))
    .orderBy('deliveries.id')
    .limit(1)
    .executeTakeFirst();
  const webhook = row && (await selectWebhook(handle, seal, id));
  if (!webhook || !isKnownWebhook(webhook)) return undefined;
  const notification = toNotification(row);
  // The queue waits for an instance that can read the notification.
  if (notification.kind === UNKNOWN) return undefined;
  const delivery = { id: asDeliveryId(row.id), webhook, notification, attempts: row.tries, merged: [] };
  // A delivery that was merged once and is sent again has details, and stays on its own.
  if (webhook.format !== 'chat' || notification.kind !== 'voucher.created' || row.details !== null)
    return delivery;
  const others = await selectMergeable(handle, row);
  const voucherCount = others.reduce((sum, other) => sum + other.voucher_count, row.voucher_count);
  return {
    ...delivery,
    notification: { ...notification, voucherCount },
    merged: others.map(({ id }) => asDeliveryId(id)),
  };
}

/** Bounds the cost of each message, however long the queue is. */
const MAX_LOOKED_AT = 1_000;

/** The deliveries behind this one whose vouchers its message can count: never sent and never merged before. */
function selectMergeable(
  handle: Handle,
  { id, webhook_id, site_name, source }: Selectable<Tables['deliveries']>,
): Promise<{ id: number; voucher_count: number }[]> {
  return handle
    .selectFrom((eb) =>
      eb
        .selectFrom('deliveries')
        .select(['id', 'kind', 'voucher_count', 'site_name', 'source', 'tries', 'details'])
        .where('webhook_id', '=', webhook_id)
        .where(IS_WAITING)
        .where('id', '>', id)
        .orderBy('id')
        .limit(MAX_LOOKED_AT)
        .as('behind'),
    )
    .select(['id', 'voucher_count'])
    .where('kind', '=', 'voucher.created')
    .where('site_name', '=', site_name)
    .where('source', '=', source)
    .where('tries', '=', 0)
    .where('details', 'is', null)
    .orderBy('id')
    .execute();
}

/**
 * An earlier release reads these deliveries as delivered, which is true. Deliveries that were changed in the meantime
 * stay as they are.
 */
export async function updateToMerged(
  handle: Handle,
  { id, merged }: Pick<WaitingDelivery, 'id' | 'merged'>,
  now: RawBuilder<number>,
): Promise<void> {
  if (merged.length === 0) return;
  await handle
    .updateTable('deliveries')
    .set({ state: 'delivered', finished_at_ms: now, details: toMergedDetails(id) })
    .where('id', 'in', merged)
    .where(IS_WAITING)
    .where('tries', '=', 0)
    .where('details', 'is', null)
    .execute();
}

/**
 * Longer than any pause. A due time further ahead means that the clock was set back, which must not stop the deliveries
 * of a webhook.
 */
const FAR_AHEAD_MS = 48 * 60 * 60_000;

/**
 * The subquery reads the clock once. PostgreSQL would read it for every waiting delivery: a pause that ends meanwhile
 * would let a later delivery overtake the first ones.
 */
function isDue(now: RawBuilder<number>): RawBuilder<boolean> {
  const once = sql<number>`(select ${now})`;
  return sql<boolean>`(due_at_ms <= ${once} or due_at_ms > ${once} + ${sql.lit(FAR_AHEAD_MS)})`;
}

/** Records a test, which is finished at once and does not enter the queue. */
export async function insertTest(
  handle: Handle,
  webhookId: WebhookId,
  notification: Notification,
  state: Verdict['state'],
  now: RawBuilder<number>,
): Promise<DeliveryId> {
  const row = await handle
    .insertInto('deliveries')
    .values({ webhook_id: webhookId, ...toColumns(notification, state), tries: 1, finished_at_ms: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return asDeliveryId(row.id);
}

export async function insertAttempt(
  handle: Handle,
  deliveryId: DeliveryId,
  made: Attempt,
  now: RawBuilder<number>,
): Promise<void> {
  const { durationMs, status, error, answer } = made;
  const duration_ms = Math.round(durationMs);
  await handle
    .insertInto('delivery_tries')
    .values({ delivery_id: deliveryId, at_ms: now, duration_ms, status, error, answer })
    .execute();
}

/**
 * False if the delivery was continued elsewhere in the meantime or its webhook was removed. The result of a slow
 * instance is then ignored.
 */
export async function updateDelivery(
  handle: Handle,
  { id, attempts }: Pick<WaitingDelivery, 'id' | 'attempts'>,
  state: Verdict['state'],
  now: RawBuilder<number>,
): Promise<boolean> {
  const result = await handle
    .updateTable('deliveries')
    .set((eb) => ({
      ...stateColumns(state),
      tries: eb('tries', '+', 1),
      ...(state !== 'waiting' && { finished_at_ms: now }),
    }))
    .where('id', '=', id)
    .where(IS_WAITING)
    .where('tries', '=', attempts)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Returns the failures in a row, and the time; undefined if the webhook was removed. */
export async function updateWebhookAfterAttempt(
  handle: Handle,
  id: WebhookId,
  { failed, pauseMs, offBecause }: Verdict,
  now: RawBuilder<number>,
): Promise<{ failures: number; nowMs: number } | undefined> {
  const row = await handle
    .updateTable('webhooks')
    .set((eb) => ({
      failures: failed ? eb('failures', '+', 1) : 0,
      due_at_ms: sql`${now} + ${Math.round(pauseMs)}`,
      ...(offBecause !== null && { active: 0, off_because: offBecause }),
    }))
    .where('id', '=', id)
    .returning(['failures', now.as('now_ms')])
    .executeTakeFirst();
  return row && { failures: row.failures, nowMs: row.now_ms };
}

/**
 * Puts the delivery back into the queue if it is finished, resets its attempts, and makes its webhook due. False if
 * there is no such delivery.
 */
export async function updateToWaiting(
  handle: Handle,
  id: DeliveryId,
  now: RawBuilder<number>,
): Promise<boolean> {
  const row = await handle
    .updateTable('deliveries')
    .set({ ...stateColumns('waiting'), tries: 0, finished_at_ms: null })
    .where('id', '=', id)
    .where(isKnownKind)
    .where(isKnownState)
    .returning('webhook_id')
    .executeTakeFirst();
  if (!row) return false;
  await handle
    .updateTable('webhooks')
    .set({ due_at_ms: soon(now) })
    .where('id', '=', row.webhook_id)
    .execute();
  return true;
}

/** A notification that has waited for so long is no longer of interest. */
export async function giveUpOldDeliveries(
  handle: Handle,
  beforeMs: number,
  now: RawBuilder<number>,
): Promise<void> {
  await handle
    .updateTable('deliveries')
    .set({ ...stateColumns('given-up'), finished_at_ms: now })
    .where(IS_WAITING)
    .where(isKnownKind)
    .where('occurred_at_ms', '<', beforeMs)
    .execute();
}

/** Deletes at most `limit` deliveries with their attempts; returns how many were found. */
export async function deleteFinishedDeliveries(
  handle: Handle,
  { beforeMs, limit }: { beforeMs: number; limit: number },
): Promise<number> {
  const rows = await handle
    .selectFrom('deliveries')
    .select('id')
    .where('finished_at_ms', '<', beforeMs)
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  await handle
    .deleteFrom('deliveries')
    .where(
      'id',
      'in',
      rows.map(({ id }) => id),
    )
    // A delivery may just be sent again. `+ 0` keeps PostgreSQL from reading all old deliveries by their time.
    .where(sql<boolean>`finished_at_ms + 0 < ${beforeMs}`)
    .execute();
  return rows.length;
}
