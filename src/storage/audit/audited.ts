// Writes a change together with its audit entry. If nothing changed, no entry is written.

import type { Database, Handle } from '../database.ts';
import { type AuditEntry, insertAuditEntry } from './queries.ts';

export function audited<Found>(
  database: Database,
  entry: AuditEntry,
  change: (transaction: Handle) => Promise<Found>,
): Promise<Found> {
  return database.write(async (transaction) => {
    const found = await change(transaction);
    if (found !== false && found !== undefined) await insertAuditEntry(transaction, entry);
    return found;
  });
}
