// Finds out whether the disk under the database is the reason for an error, and reports writes that fail for this
// reason. Works for both engines.

import { DatabaseError } from '../values/database-error.ts';
import { DatabaseUnavailable } from '../values/database-unavailable.ts';
import { errorCodeOf } from '../values/file-error.ts';
import type { Database } from './database.ts';
import { sqliteCodeOf } from './sqlite/connection.ts';
import type { StorageErrorReason, StorageErrors } from './tally-storage-errors.ts';

/** Primary result codes of SQLite: read-only, I/O error, corrupt, full, not a database. */
const SQLITE_REASONS = new Map<number, StorageErrorReason>([
  [8, 'read-only'],
  [10, 'io-error'],
  [11, 'damaged'],
  [13, 'disk-full'],
  [26, 'damaged'],
]);

/** Codes of PostgreSQL: disk full, read-only transaction, I/O error, missing file, corrupted data, corrupted index. */
const POSTGRES_REASONS = new Map<string, StorageErrorReason>([
  ['53100', 'disk-full'],
  ['25006', 'read-only'],
  ['58030', 'io-error'],
  ['58P01', 'io-error'],
  ['XX001', 'damaged'],
  ['XX002', 'damaged'],
]);

/** Returns undefined if the disk is not the reason, for example if the database is locked or its server unreachable. */
export function storageErrorReason(error: unknown): StorageErrorReason | undefined {
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode !== undefined) return SQLITE_REASONS.get(sqliteCode);
  return POSTGRES_REASONS.get(errorCodeOf(error instanceof DatabaseError ? error.cause : error) ?? '');
}

/**
 * Returns the same database, except that its writes report errors of the disk, and that it counts as damaged while
 * writes fail because of damage. While the vouchers of open orders cannot be recorded, settling repeats these writes.
 */
export function reportingStorageErrors(
  database: Database,
  { note, recent }: Pick<StorageErrors, 'note' | 'recent'>,
): Database {
  async function reported<Value>(written: Promise<Value>): Promise<Value> {
    try {
      return await written;
    } catch (error) {
      const reason = storageErrorReason(error);
      if (reason) note(reason, error);
      throw error;
    }
  }
  const { write, writeAtOnce, needIntact } = database;
  return {
    ...database,
    write: (job, urgency) => reported(write(job, urgency)),
    writeAtOnce: writeAtOnce && ((statement, urgency) => reported(writeAtOnce(statement, urgency))),
    needIntact() {
      if (recent() === 'damaged')
        throw new DatabaseUnavailable(new Error('the database is damaged, so nothing is ordered'));
      try {
        needIntact?.();
      } catch (error) {
        note('damaged', error);
        throw error;
      }
    },
  };
}
