// Queries for the delivery log: deliveries with all their attempts, and the time of the next attempt.

import { sql } from 'kysely';
import { asDeliveryId, asWebhookId, type WebhookId } from '../../domain/ids.ts';
import { readKnown } from '../../domain/unknown-value.ts';
import { DELIVERY_STATES, type LoggedDelivery, type LogSearch } from '../../domain/webhooks/delivery.ts';
import type { Handle } from '../database.ts';
import { readMergedInto, toNotification } from './notification-columns.ts';

export async function selectDeliveryLog(handle: Handle, input: LogSearch): Promise<LoggedDelivery[]> {
  const { limit, webhookId, deliveryId, beforeId } = input;
  const isNext = sql<
    number | null
  >`case when coalesce(event_state, state) = 'waiting' and active = 1 and not exists (
    select 1 from deliveries as earlier where earlier.webhook_id = deliveries.webhook_id
      and coalesce(earlier.event_state, earlier.state) = 'waiting' and earlier.id < deliveries.id)
    then case when due_at_ms > occurred_at_ms then due_at_ms else occurred_at_ms end end`;
  const rows = await handle
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .selectAll('deliveries')
    .select(isNext.as('next_try_at_ms'))
    .$if(webhookId !== undefined, (query) => query.where('webhook_id', '=', webhookId ?? 0))
    .$if(deliveryId !== undefined, (query) => query.where('deliveries.id', '=', deliveryId ?? 0))
    .$if(beforeId !== undefined, (query) => query.where('deliveries.id', '<', beforeId ?? 0))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const attempts = await handle
    .selectFrom('delivery_tries')
    .selectAll()
    .where(
      'delivery_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  return rows.map((row) => {
    const mergedInto = readMergedInto(row);
    return {
      id: asDeliveryId(row.id),
      webhookId: asWebhookId(row.webhook_id),
      notification: toNotification(row),
      state: mergedInto === null ? readKnown(DELIVERY_STATES, row.event_state ?? row.state) : 'merged',
      mergedInto,
      attempts: (byDelivery.get(row.id) ?? []).map(({ at_ms, duration_ms, status, error, answer }) => ({
        atMs: at_ms,
        durationMs: duration_ms,
        status,
        error,
        answer,
      })),
      nextAttemptAtMs: row.next_try_at_ms,
    };
  });
}

/** `+ 0` makes the query use the index by finishing time instead of the index by webhook, which has all deliveries. */
export async function selectGivenUp(handle: Handle, sinceMs: number): Promise<Map<WebhookId, number>> {
  const webhook = sql<number>`webhook_id + 0`;
  const rows = await handle
    .selectFrom('deliveries')
    .select((eb) => [webhook.as('webhook_id'), eb.fn.countAll<number>().as('count')])
    .where('finished_at_ms', '>=', sinceMs)
    .where(sql<boolean>`coalesce(event_state, state) = 'given-up'`)
    .where('kind', '<>', 'webhook.test')
    .groupBy(webhook)
    .execute();
  return new Map(rows.map(({ webhook_id, count }) => [asWebhookId(webhook_id), count]));
}
