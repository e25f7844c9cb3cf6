// The tables of webhooks and of events to be reported to them. Deliveries are rows of the table of messages.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface WebhookTables {
  outbox: {
    id: Generated<number>;
    event_id: string;
    voucher_count: number;
    site_name: string;
    source: string;
    created_at_ms: number;
  };
  webhooks: {
    id: Generated<number>;
    /** Sealed, because the URL of a chat webhook is enough to post to the chat. */
    sealed_url: string;
    format: string;
    platform: string | null;
    /** Sealed JSON; null for chats, whose messages are not signed. */
    sealed_secrets: string | null;
    active: number;
    off_because: string | null;
    /** The number of consecutive failed attempts. */
    failures: Generated<number>;
    /** The earliest time of the next attempt. */
    due_at_ms: Generated<number>;
    paused_at_ms: Generated<number | null>;
    created_at_ms: number;
    /** Empty in webhooks of earlier releases. */
    name: Generated<string>;
    /** Event kinds, separated by commas. */
    events: Generated<string>;
  };
}

export const tables = {
  outbox: {
    key: ['id'],
    // `site_name` is the name at the time of the event. Renaming the site later does not change it.
    personal: { site_name: 'erased', source: 'erased', event_id: 'other' },
  },
  webhooks: {
    key: ['id'],
    personal: { off_because: 'erased', name: 'kept', format: 'other', platform: 'other', events: 'other' },
    sealed: { sealed_url: { key: 'id' }, sealed_secrets: { key: 'id' } },
  },
} satisfies Declarations<WebhookTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends WebhookTables {}
}
