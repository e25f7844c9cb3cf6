// The tables of a backup, each after the tables it references, so that they can be filled in this order.

import type { Tables } from '../database/schema.ts';
import { copiedTables } from '../database/tables/copied-tables.ts';

/**
 * Tables that are not in a backup. They belong to the running service, can be built again, or contain sessions or links.
 * A session that was ended or a link that was withdrawn after the backup must not come back. Neither must a voucher of
 * the stock: it may have been handed out since, and would be handed out to a second guest.
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
  'reset_links',
  'guest_links',
  'stock',
];

/** The tables of a backup, each with the columns that identify a row. */
export const keptTables = new Map(
  Object.entries(copiedTables).filter(([table]) => !LEFT_OUT.some((name) => name === table)),
);

/** The tables that can be restored: also two from backups of earlier releases, which a migration has replaced since. */
export const restoredTables = new Map([...keptTables, ['deliveries', ['id']], ['delivery_tries', ['id']]]);
