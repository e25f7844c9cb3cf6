// Receipt printers. Print jobs are messages of the queue.

import type { SqlDialect } from './migration.ts';

export function printers({ rowId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `create table printers (
      id ${rowId},
      site_id ${integer} not null references sites (id) on delete cascade,
      name text not null,
      kind text not null,
      address text,
      token_hash text unique,
      sealed_token text,
      paper ${integer} not null,
      layout text not null,
      copies ${integer} not null,
      has_cutter ${integer} not null,
      job_minutes ${integer} not null,
      created_at_ms ${integer} not null,
      state text,
      state_words text,
      state_at_ms ${integer},
      seen_at_ms ${integer},
      printed_at_ms ${integer},
      failures ${integer} not null default 0,
      due_at_ms ${integer} not null default 0
    ) ${tableEnd}`,
    'create index printers_of_site on printers (site_id)',
    // The printer that prints the vouchers of a batch. It may have been removed since.
    `alter table batches add column printer_id ${integer}`,
    `create index messages_sending on messages (channel, recipient_id, id) where state = 'sending'`,
    // The messages of vouchers are kept, so the search for old messages must not read them every hour.
    'create index messages_to_forget on messages (finished_at_ms) where voucher_id is null',
  ];
}
