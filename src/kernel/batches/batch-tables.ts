// The table of batches.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';
import type { LabelColumns, OrderColumns } from '../vouchers/voucher-tables.ts';

export interface BatchTables {
  batches: OrderColumns &
    LabelColumns & {
      id: string;
      /** The user who ordered the batch in the web interface; null if an API key ordered it. */
      user_id: number | null;
      api_key_id: Generated<string | null>;
      site_id: number;
      wanted: number;
      /** Null while the batch is in progress. */
      ended_at_ms: number | null;
      /** Why vouchers are missing, or why an open batch waits. */
      problem: string | null;
      created_at_ms: number;
      cause: string | null;
      /** The replacement of lost vouchers to which the batch belongs; null for all other batches. */
      replacement_id: Generated<string | null>;
      /** When the order was tried again, or when the user hid its failure; null for all other batches. */
      settled_at_ms: Generated<number | null>;
      ends_at_s: Generated<number | null>;
      /** Sealed JSON: the address and the language of the mails that its vouchers are sent with. */
      sealed_mail: Generated<string | null>;
      /** The printer that prints its vouchers. It may have been removed since. */
      printer_id: Generated<number | null>;
      /** By the clock of the database. Null if the batch does not go on by itself. */
      goes_on_until_ms: Generated<number | null>;
      /** How many of its vouchers were announced before it was resumed. */
      announced: Generated<number | null>;
      /** The batch that was ordered instead of this one. */
      replaced_by: Generated<string | null>;
    };
}

export const tables = {
  batches: {
    key: ['id'],
    personal: {
      name: 'erased',
      reference: 'erased',
      note: 'erased',
      problem: 'erased',
      id: 'other',
      cause: 'other',
      replacement_id: 'other',
      api_key_id: 'other',
      replaced_by: 'other',
    },
    sealed: { sealed_mail: { key: 'id', personal: 'value' } },
  },
} satisfies Declarations<BatchTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends BatchTables {}
}
