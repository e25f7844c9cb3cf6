// The tables of a backup, in the order in which they can be filled.

import type { Tables } from '../schema.ts';
import { copiedTables } from '../tables/copied-tables.ts';

/**
 * Not in a backup: what belongs to the running service, what can be built again, and sessions, so that a session that
 * was ended after the backup does not come back.
 */
const LEFT_OUT: (keyof Tables)[] = [
  'leases',
  'rate_windows',
  'voucher_parts',
  'controller_sessions',
  'web_sessions',
  'external_sessions',
  'half_sign_ins',
  'sent_forms',
];

/** The columns that identify a row, by table. */
export const keptTables = new Map(
  Object.entries(copiedTables).filter(([table]) => !LEFT_OUT.some((name) => name === table)),
);

/** Also the tables in backups of earlier releases that migrations have replaced since. */
export const restoredTables = new Map([...keptTables, ['deliveries', ['id']], ['delivery_tries', ['id']]]);
