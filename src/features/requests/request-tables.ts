// The tables of guests' requests.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface RequestTables {
  /** A site without a row has no public page for requests. */
  request_pages: { site_id: number; token_hash: string; sealed_token: string | null; mail_to: string | null };
  guest_requests: {
    id: Generated<number>;
    site_id: number;
    /** Null if the guest asked on the public page. */
    screen_id: number | null;
    name: string;
    host: string;
    note: string;
    language: string;
    token_hash: string;
    state: string;
    reason: Generated<string | null>;
    voucher_id: Generated<number | null>;
    /** The actor as notifications show it. */
    decided_by: Generated<string | null>;
    terms_id: number | null;
    terms_accepted_at_s: number | null;
    /** A keyed hash. Null if the guest asked at a kiosk, and as soon as the request does not wait any more. */
    network_hash: string | null;
    created_at_ms: number;
    expires_at_ms: number;
    decided_at_ms: Generated<number | null>;
  };
}

export const tables = {
  request_pages: {
    key: ['site_id'],
    personal: { mail_to: 'kept', token_hash: 'other' },
    sealed: { sealed_token: { key: 'token_hash', replaceable: 'value' } },
  },
  guest_requests: {
    key: ['id'],
    personal: {
      name: 'erased',
      host: 'erased',
      note: 'erased',
      reason: 'erased',
      decided_by: 'erased',
      language: 'other',
      token_hash: 'other',
      network_hash: 'other',
      state: 'other',
    },
  },
} satisfies Declarations<RequestTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends RequestTables {}
}
