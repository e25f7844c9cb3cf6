// Waits until a statement waits for a lock, so that a test about two concurrent transactions knows that they have met.

import { sql } from 'kysely';
import type { Database } from '../../src/platform/database/database.ts';
import { until } from '../support/until.ts';

const LOOK_AGAIN_MS = 5;

/** Resolves when a statement on PostgreSQL waits for a lock. */
export const untilOneWaits = (database: Database) => untilWaiting(database, 1);

/**
 * Resolves when this many statements on PostgreSQL wait for locks. On SQLite writers queue in this process, and the
 * caller of `write` is already in the queue.
 */
export async function untilWaiting({ read, changeStamp }: Database, count: number): Promise<void> {
  if (changeStamp() !== undefined) return;
  // Other tests use the same server. The lock itself does not name its database (waiting for a row is waiting for a
  // transaction, which belongs to no database), so the query joins the waiting sessions.
  const waiting = sql`
    select distinct pid from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`;
  const areEnough = async () => (await waiting.execute(read)).rows.length >= count;
  await until(areEnough, { otherwise: 'too few statements wait for a lock', everyMs: LOOK_AGAIN_MS });
}
