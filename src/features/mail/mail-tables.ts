// The tables for e-mail. Mails are rows of the table of messages.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface MailTables {
  /** At most one row, with the id 1. */
  mail_server: {
    id: number;
    host: string;
    port: number;
    tls: string;
    username: string | null;
    sealed_password: string | null;
    /** Certificates that are trusted besides those of the system, as PEM. */
    ca: string | null;
    /** Empty if mails have only an address as their sender. */
    from_name: string;
    from_address: string;
    per_hour: number | null;
  };
  /** An empty text stands for the default. */
  mail_texts: { site_id: number; language: string; subject: string; greeting: string; closing: string };
  mail_slots: { id: Generated<number>; at_ms: number };
}

export const tables = {
  mail_server: {
    key: ['id'],
    personal: {
      username: 'kept',
      from_name: 'kept',
      from_address: 'kept',
      host: 'other',
      tls: 'other',
      ca: 'other',
    },
    sealed: { sealed_password: { key: 'id' } },
  },
  mail_texts: {
    key: ['site_id', 'language'],
    personal: { subject: 'kept', greeting: 'kept', closing: 'kept', language: 'other' },
  },
  mail_slots: { key: ['id'], personal: {} },
} satisfies Declarations<MailTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends MailTables {}
}
