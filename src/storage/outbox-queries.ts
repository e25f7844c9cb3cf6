// The outbox: notifications that are owed, written in the transaction of what they tell about.

import type { Handle } from './database.ts';

export interface OutboxEvent {
  eventId: string;
  voucherCount: number;
  siteName: string;
  source: string;
  createdAtMs: number;
}

export async function insertOutboxEvent(handle: Handle, event: OutboxEvent): Promise<void> {
  await handle
    .insertInto('outbox')
    .values({
      event_id: event.eventId,
      voucher_count: event.voucherCount,
      site_name: event.siteName,
      source: event.source,
      created_at_ms: event.createdAtMs,
    })
    .execute();
}
