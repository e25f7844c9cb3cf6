// The tables of API keys and their rate limits.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface KeyTables {
  api_keys: {
    id: string;
    name: string;
    scope: string;
    rate_limit: number;
    key_hash: string;
    created_at_ms: number;
    last_used_at_ms: number | null;
    revoked_at_ms: number | null;
    /** `all`, or the ids separated by commas. A move-in may reuse ids of removed sites: it first deletes them here. */
    site_ids: Generated<string>;
    expires_at_ms: number | null;
    note: Generated<string>;
    last_used_ip: string | null;
  };
  rate_windows: { api_key_id: string; started_at_ms: number; counted: number; refused: number };
}

export const tables = {
  api_keys: {
    key: ['id'],
    personal: {
      name: 'kept',
      note: 'kept',
      last_used_ip: 'kept',
      id: 'other',
      scope: 'other',
      key_hash: 'other',
      site_ids: 'other',
    },
  },
  rate_windows: { key: ['api_key_id'], copied: 'by-move', personal: { api_key_id: 'other' } },
} satisfies Declarations<KeyTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends KeyTables {}
}
