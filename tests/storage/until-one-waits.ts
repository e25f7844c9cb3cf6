// Waiting until somebody waits for a lock, so that a test about two who meet knows that they have met.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../src/storage/database.ts';

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 5;

/**
 * Resolves when a statement on PostgreSQL waits for a lock. On SQLite writers queue in this process, and whoever called
 * `write` is in the queue already.
 */
export async function untilOneWaits({ read, changeStamp }: Database): Promise<void> {
  if (changeStamp() !== undefined) return;
  // Other tests share the server. The lock itself does not tell its database (a wait for a row is a wait for a
  // transaction, which has none), so the query asks who waits.
  const waiting = sql`
    select pid from pg_locks join pg_stat_activity using (pid)
    where not granted and datname = current_database()`;
  const giveUpAt = performance.now() + PATIENCE_MS;
  while ((await waiting.execute(read)).rows.length === 0) {
    assert.ok(performance.now() < giveUpAt, 'nobody waits for a lock');
    await sleep(LOOK_AGAIN_MS);
  }
}
