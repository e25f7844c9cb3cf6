// When pauses began, so that one that began in the future is recognised: the clock was set back during the pause.

import type { SqlDialect } from './migration.ts';

export function pauses({ integer }: SqlDialect): string[] {
  return [
    ...['messages', 'message_recipients', 'webhooks', 'printers'].map(
      (table) => `alter table ${table} add column paused_at_ms ${integer}`,
    ),
    `create index mails_paused on messages (recipient_id, paused_at_ms, id)
      where channel = 'mail' and state in ('waiting', 'sending')`,
  ];
}
