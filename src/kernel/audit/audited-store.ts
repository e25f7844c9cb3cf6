// Writes a change together with its audit entry. If nothing changed, no entry is written.

import type { Database, Handle } from '../../platform/database/database.ts';
import type { AuditAction, DetailsOf } from './audit-details.ts';
import type { AuditContext } from './audit-log.ts';
import { insertAuditEntry } from './audit-queries.ts';

interface Entry<Action extends AuditAction, Found> extends AuditContext {
  action: Action;
  /** The details, or a function that makes them from the result of the change, for example from the id of a new row. */
  details: DetailsOf[Action] | ((found: Found) => DetailsOf[Action]);
}

export function audited<Action extends AuditAction, Found>(
  database: Database,
  { details, ...entry }: Entry<Action, NonNullable<Found>>,
  change: (transaction: Handle) => Promise<Found>,
): Promise<Found> {
  return database.write(async (transaction) => {
    const found = await change(transaction);
    if (found === false || found === undefined || found === null) return found;
    const known = typeof details === 'function' ? details(found) : details;
    await insertAuditEntry(transaction, { ...entry, details: known });
    return found;
  });
}
