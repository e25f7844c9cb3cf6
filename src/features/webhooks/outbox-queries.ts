// Queries that take notifications out of the outbox, to put them into the queue of each webhook.

import type { Handle } from '../../platform/database/database.ts';
import type { Notification } from './notification.ts';

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
