// Queries for the outbox: pending notifications, written in the transaction of the event that they report.

import { type RawBuilder, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';

/** Vouchers that were created together. */
export interface OutboxEvent {
  /** The same for every target and every attempt. */
  eventId: string;
  occurredAtMs: number;
  voucherCount: number;
  siteName: string;
  source: string;
}

export function toOutboxColumns(event: OutboxEvent) {
  return {
    event_id: event.eventId,
    voucher_count: event.voucherCount,
    site_name: event.siteName,
    source: event.source,
    created_at_ms: event.occurredAtMs,
  };
}

/**
 * An insert that does nothing unless an active webhook wants to know of new vouchers. With a `from` clause, each row of
 * its source becomes one new row.
 */
export function insertIfWanted(
  event: Placeholders<ReturnType<typeof toOutboxColumns>>,
  from: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    insert into outbox (event_id, voucher_count, site_name, source, created_at_ms)
    select ${event.event_id}, ${event.voucher_count}, ${event.site_name}, ${event.source}, ${event.created_at_ms}
    ${from}
    where exists (
      select 1 from webhooks where active = 1 and ',' || events || ',' like '%,voucher.created,%'
    )`;
}

const insert = compileOnce((_: Handle, event: Placeholders<ReturnType<typeof toOutboxColumns>>) =>
  insertIfWanted(event),
);

/** Without an active webhook that wants the event, nothing is written. */
export async function insertOutboxEvent(handle: Handle, event: OutboxEvent): Promise<void> {
  await insert(handle, toOutboxColumns(event));
}
