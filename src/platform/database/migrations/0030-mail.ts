// E-mail: the server, the texts of each site, and mails in the queue of messages.

import type { SqlDialect } from './migration.ts';

export function mail({ rowId, integer, tableEnd }: SqlDialect): string[] {
  return [
    `alter table messages add column sealed_payload text`,
    `alter table messages add column ordered_by text`,
    `alter table messages add column seen_at_ms ${integer}`,
    // A sealed payload is bound to the id of its event.
    `create unique index messages_sealed on messages (event_id) where sealed_payload is not null`,
    `create index messages_ordered on messages (ordered_by, occurred_at_ms) where ordered_by is not null`,
    `create index mails_due on messages (recipient_id, due_at_ms, id)
      where channel = 'mail' and state in ('waiting', 'sending')`,
    `create index mails_failed on messages (id)
      where channel = 'mail' and state = 'failed' and seen_at_ms is null`,

    `create table mail_server (
      id ${integer} primary key,
      host text not null,
      port ${integer} not null,
      tls text not null,
      username text,
      sealed_password text,
      ca text,
      from_name text not null,
      from_address text not null,
      per_hour ${integer}
    ) ${tableEnd}`,

    `create table mail_texts (
      site_id ${integer} not null references sites (id) on delete cascade,
      language text not null,
      subject text not null,
      greeting text not null,
      closing text not null,
      primary key (site_id, language)
    ) ${tableEnd}`,

    // One row for each mail that was sent in the last hour, if the number per hour is limited.
    `create table mail_slots (id ${rowId}, at_ms ${integer} not null) ${tableEnd}`,
    'create index mail_slots_at on mail_slots (at_ms)',

    'alter table sites add column reply_to text',
    'alter table batches add column sealed_mail text',
  ];
}
