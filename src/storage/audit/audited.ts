// Writes a change together with its audit entry. If nothing changed, no entry is written.

import type { Database, Handle } from '../database.ts';
import { type AuditEntry, insertAuditEntry } from './queries.ts';

interface Entry<Found> extends Omit<AuditEntry, 'subject'> {
  /** A function of what the change returns, such as the id of a new row. */
  subject: string | ((found: Found) => string);
}

export function audited<Found>(
  database: Database,
  { subject, ...entry }: Entry<NonNullable<Found>>,
  change: (transaction: Handle) => Promise<Found>,
): Promise<Found> {
  return database.write(async (transaction) => {
    const found = await change(transaction);
    if (found === false || found === undefined || found === null) return found;
    const text = typeof subject === 'string' ? subject : subject(found);
    await insertAuditEntry(transaction, { ...entry, subject: text });
    return found;
  });
}
