// Queries for the outbox: pending notifications, written in the transaction of the event that they report.

import type { Notification } from '../../domain/webhooks/notification.ts';
import { compileOnce, type Placeholders } from '../compiled-query.ts';
import type { Handle } from '../database.ts';

export type OutboxEvent = Omit<Extract<Notification, { kind: 'voucher.created' }>, 'kind'>;

export function toOutboxColumns(event: OutboxEvent) {
  return {
    event_id: event.eventId,
    voucher_count: event.voucherCount,
    site_name: event.siteName,
    source: event.source,
    created_at_ms: event.occurredAtMs,
  };
}

const insert = compileOnce((handle: Handle, columns: Placeholders<ReturnType<typeof toOutboxColumns>>) =>
  handle.insertInto('outbox').values(columns),
);

export async function insertOutboxEvent(handle: Handle, event: OutboxEvent): Promise<void> {
  await insert(handle, toOutboxColumns(event));
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
