// Looks for damaged pages in the SQLite file. This reads the whole file and blocks the process, so it is not for a
// running service.

import { existsSync, statSync } from 'node:fs';
import { errorReason } from '../../values/database-error.ts';
import { DatabaseUnavailable } from '../../values/database-unavailable.ts';
import { connectSqlite, guarded, sqliteCodeOf, sqliteFileIn } from './connection.ts';

/** The size up to which a file is checked. Reading that much takes some seconds. */
const MAX_CHECKED_BYTES = 2_000_000_000;
/** SQLite's codes for a malformed file, and for a file that is no database. */
const DAMAGED_CODES = [11, 26];

/**
 * The result of the search for damaged pages in the database. `unchecked`: no search was made, as always inside the
 * service and on PostgreSQL. `checkWith`: the command that searches a file that is too large to be searched here.
 */
export type CheckedFilePages = 'intact' | 'unchecked' | { checkWith: string };

/** `found` is the first damage. `pages` is `intact` even if there is no database file. */
export function findDamage(dataDir: string): { pages: CheckedFilePages } | { found: string } {
  const file = sqliteFileIn(dataDir);
  if (!existsSync(file)) return { pages: 'intact' };
  if (statSync(file).size > MAX_CHECKED_BYTES)
    return { pages: { checkWith: `sqlite3 ${file} 'pragma quick_check'` } };
  try {
    using connection = connectSqlite(file, { readOnly: true });
    const row = guarded(() => connection.raw.prepare('pragma quick_check(1)').get());
    const [found] = Object.values(row ?? {});
    return found === 'ok' ? { pages: 'intact' } : { found: String(found) };
  } catch (error) {
    if (error instanceof DatabaseUnavailable && DAMAGED_CODES.includes(sqliteCodeOf(error) ?? 0))
      return { found: errorReason(error.cause) };
    throw error;
  }
}
