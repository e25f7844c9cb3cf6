// The tables of printers. Print jobs are rows of the table of messages.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface PrinterTables {
  printers: {
    id: Generated<number>;
    site_id: number;
    name: string;
    kind: string;
    address: string | null;
    /** The token of the path that the printer polls; null if the service connects to the printer. */
    token_hash: string | null;
    sealed_token: string | null;
    paper: number;
    layout: string;
    copies: number;
    has_cutter: number;
    job_minutes: number;
    created_at_ms: number;
    state: Generated<string | null>;
    state_words: Generated<string | null>;
    state_at_ms: Generated<number | null>;
    seen_at_ms: Generated<number | null>;
    /** When the last job was printed. */
    printed_at_ms: Generated<number | null>;
    /** Failed attempts in a row, and the end of the pause after them. */
    failures: Generated<number>;
    due_at_ms: Generated<number>;
    paused_at_ms: Generated<number | null>;
  };
}

export const tables = {
  printers: {
    key: ['id'],
    personal: {
      name: 'kept',
      kind: 'other',
      address: 'other',
      token_hash: 'other',
      layout: 'other',
      state: 'other',
      state_words: 'other',
    },
    sealed: { sealed_token: { key: 'token_hash', replaceable: 'value' } },
  },
} satisfies Declarations<PrinterTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends PrinterTables {}
}
