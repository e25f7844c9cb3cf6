// Queries for the delivery log: deliveries with all their attempts, and the time of the next attempt.

import { sql } from 'kysely';
import { asDeliveryId, asWebhookId, type WebhookId } from '../../kernel/ids.ts';
import { MESSAGE_STATES } from '../../kernel/messages/message.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { LoggedDelivery, LogSearch } from './delivery.ts';
import { readNotification } from './notification-payload.ts';

/** `|| ''` keeps SQLite from using the index by recipient, which would read and sort all messages of the channel. */
const anyWebhook = sql<boolean>`channel || '' = 'webhook'`;

export async function selectDeliveryLog(handle: Handle, input: LogSearch): Promise<LoggedDelivery[]> {
  const { limit, webhookId, deliveryId, beforeId } = input;
  const nextAttempt = sql<
    number | null
  >`case when state in ('waiting', 'sending') and active = 1 and not exists (
      select 1 from messages as earlier where earlier.channel = 'webhook'
        and earlier.recipient_id = messages.recipient_id and earlier.state in ('waiting', 'sending')
        and earlier.id < messages.id)
    then case when webhooks.due_at_ms > occurred_at_ms then webhooks.due_at_ms else occurred_at_ms end end`;
  const rows = await handle
    .selectFrom('messages')
    .innerJoin('webhooks', 'webhooks.id', 'messages.recipient_id')
    .selectAll('messages')
    .select(nextAttempt.as('next_attempt_at_ms'))
    .where(webhookId === undefined ? anyWebhook : sql<boolean>`channel = 'webhook'`)
    .$if(webhookId !== undefined, (query) => query.where('recipient_id', '=', webhookId ?? 0))
    .$if(deliveryId !== undefined, (query) => query.where('messages.id', '=', deliveryId ?? 0))
    .$if(beforeId !== undefined, (query) => query.where('messages.id', '<', beforeId ?? 0))
    .orderBy('messages.id', 'desc')
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const attempts = await handle
    .selectFrom('message_attempts')
    .selectAll()
    .where(
      'message_id',
      'in',
      rows.map(({ id }) => id),
    )
    .orderBy('id')
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ message_id }) => message_id);
  return rows.map((row) => {
    const { event_id: eventId, kind, payload, occurred_at_ms: occurredAtMs } = row;
    const state = toDeliveryState(row.state);
    return {
      id: asDeliveryId(row.id),
      webhookId: asWebhookId(row.recipient_id),
      notification: readNotification({ eventId, kind, payload: readJson(payload), occurredAtMs }),
      state,
      mergedInto: state === 'merged' && row.merged_into !== null ? asDeliveryId(row.merged_into) : null,
      attempts: (byDelivery.get(row.id) ?? []).map(
        ({ at_ms, duration_ms, status, error, answer: response }) => ({
          atMs: at_ms,
          durationMs: duration_ms,
          status,
          error,
          response,
        }),
      ),
      nextAttemptAtMs: row.next_attempt_at_ms,
    };
  });
}

function toDeliveryState(text: string): LoggedDelivery['state'] {
  const state = readKnown(MESSAGE_STATES, text);
  switch (state) {
    case 'waiting':
    case 'sending':
      return 'waiting';
    case 'done':
      return 'delivered';
    case 'failed':
      return 'given-up';
    case 'merged':
      return 'merged';
    default:
      return UNKNOWN;
  }
}

/** `+ 0` makes the query use the index by finishing time, not the index by recipient, which contains all messages. */
const givenUp = compileOnce((handle: Handle, { sinceMs }: Placeholders<{ sinceMs: number }>) => {
  const webhook = sql<number>`recipient_id + 0`;
  return handle
    .selectFrom('messages')
    .select((eb) => [webhook.as('webhook_id'), eb.fn.countAll<number>().as('count')])
    .where('finished_at_ms', '>=', sinceMs)
    .where(anyWebhook)
    .where('state', '=', 'failed')
    .where('kind', '<>', 'webhook.test')
    .groupBy(webhook);
});

export async function selectGivenUp(handle: Handle, sinceMs: number): Promise<Map<WebhookId, number>> {
  const { rows } = await givenUp(handle, { sinceMs });
  return new Map(rows.map(({ webhook_id, count }) => [asWebhookId(webhook_id), count]));
}
