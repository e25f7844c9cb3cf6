// The table of the audit log.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface AuditTables {
  audit: {
    id: Generated<number>;
    at_ms: number;
    /** Kind and name, as notifications show them. */
    actor: string;
    actor_id: string | null;
    action: string;
    /** The details as a text. */
    subject: string;
    /** JSON; null in entries of earlier releases. */
    details: string | null;
    address: string | null;
  };
}

export const tables = {
  audit: {
    key: ['id'],
    personal: {
      actor: 'erased',
      subject: 'erased',
      details: 'erased',
      address: 'erased',
      actor_id: 'other',
      action: 'other',
    },
  },
} satisfies Declarations<AuditTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends AuditTables {}
}
