// Looks for damaged pages in the SQLite file. This reads the whole file and blocks the process, so it is not for a
// running service.

import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseUnavailable } from '../../domain/database-unavailable.ts';
import { connectSqlite, guarded } from './connection.ts';

const BUSY_TIMEOUT_MS = 5_000;
/** Read in some seconds. */
const MAX_CHECKED_BYTES = 2_000_000_000;
/** SQLite's codes for a malformed file, and for a file that is no database. */
const DAMAGED_CODES = [11, 26];

export type Damage = { found: string } | 'none' | 'too-large-to-check';

/** For files that are too large to be checked by `findDamage`. */
export function checkCommand(dataDir: string): string {
  return `sqlite3 ${join(dataDir, 'gastpass.sqlite')} 'pragma quick_check'`;
}

/** `none` also if there is no database file. */
export function findDamage(dataDir: string): Damage {
  const file = join(dataDir, 'gastpass.sqlite');
  if (!existsSync(file)) return 'none';
  if (statSync(file).size > MAX_CHECKED_BYTES) return 'too-large-to-check';
  try {
    const { raw } = guarded(() => connectSqlite(file, { busyTimeoutMs: BUSY_TIMEOUT_MS, readOnly: true }));
    try {
      const row = guarded(() => raw.prepare('pragma quick_check(1)').get());
      const [found] = Object.values(row ?? {});
      return found === 'ok' ? 'none' : { found: String(found) };
    } finally {
      raw.close();
    }
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : undefined;
    const code = cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : 0;
    if (cause instanceof Error && DAMAGED_CODES.includes(code)) return { found: cause.message };
    throw error;
  }
}
