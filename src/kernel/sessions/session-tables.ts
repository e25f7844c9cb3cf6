// The tables of web sessions, failed logins and forms that were sent.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface SessionTables {
  web_sessions: {
    token_hash: string;
    user_id: number;
    created_at_ms: number;
    seen_at_ms: number;
    address: string;
    agent: string;
    /** When the user last entered the password. */
    authenticated_at_ms: Generated<number>;
    /** 1 if the session stays after the browser is closed. */
    stays: Generated<number>;
  };
  sign_in_failures: { subject: string; count: number; last_at_ms: number };
  sent_forms: { id: string; at_ms: number };
}

export const tables = {
  web_sessions: {
    key: ['token_hash'],
    copied: 'by-move',
    personal: { address: 'kept', agent: 'kept', token_hash: 'other' },
  },
  sign_in_failures: { key: ['subject'], personal: { subject: 'kept' } },
  sent_forms: { key: ['id'], copied: 'by-move', personal: { id: 'other' } },
} satisfies Declarations<SessionTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends SessionTables {}
}
