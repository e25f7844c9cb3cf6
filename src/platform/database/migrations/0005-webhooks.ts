// Notifications: webhooks, deliveries, and the attempts of each delivery.

import type { SqlDialect } from './migration.ts';

export function webhooks({ rowId, integer, tableEnd }: SqlDialect): string[] {
  return [
    // The outbox has notifications from before webhooks existed. The first webhook must not receive them.
    'delete from outbox',

    `create table webhooks (
      id ${rowId},
      sealed_url text not null,
      format text not null check (format in ('chat', 'generic')),
      platform text,
      sealed_secrets text,
      active ${integer} not null,
      off_because text,
      failures ${integer} not null default 0,
      due_at_ms ${integer} not null default 0,
      created_at_ms ${integer} not null
    ) ${tableEnd}`,

    `create table deliveries (
      id ${rowId},
      webhook_id ${integer} not null references webhooks (id) on delete cascade,
      event_id text not null,
      kind text not null,
      voucher_count ${integer} not null,
      site_name text not null,
      source text not null,
      occurred_at_ms ${integer} not null,
      state text not null check (state in ('waiting', 'delivered', 'given-up')),
      tries ${integer} not null default 0,
      finished_at_ms ${integer}
    ) ${tableEnd}`,
    'create index deliveries_of_webhook on deliveries (webhook_id, id)',
    // The queue of each webhook, without its finished deliveries. Created after deliveries_of_webhook: if two indexes
    // fit, SQLite uses the newer one.
    `create index deliveries_waiting on deliveries (webhook_id, id) where state = 'waiting'`,
    'create index deliveries_age on deliveries (finished_at_ms) where finished_at_ms is not null',

    `create table delivery_tries (
      id ${rowId},
      delivery_id ${integer} not null references deliveries (id) on delete cascade,
      at_ms ${integer} not null,
      duration_ms ${integer} not null,
      status ${integer},
      error text,
      answer text
    ) ${tableEnd}`,
    'create index delivery_tries_of_delivery on delivery_tries (delivery_id, id)',
  ];
}
