// Opens a PostgreSQL database that any number of instances share: migrates it, then hands out a pool to read
// with and transactions to write in.

import { sql } from 'kysely';
import type { Clock } from '../../domain/clock.ts';
import type { Database } from '../database.ts';
import { isConflict, makeHandle, makePool, type PostgresOptions } from './connection.ts';
import { migratePostgres } from './migrate.ts';

const MOST_TRIES = 5;
const SERVER_TIME = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Time is the server's own, which all instances share, unless somebody else is to say what time it is. */
export async function openPostgres(options: PostgresOptions, clock?: Clock): Promise<Database> {
  const pool = await makePool(options);
  try {
    await migratePostgres(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const handle = makeHandle(pool);

  return {
    read: handle,
    async write(job) {
      for (let tries = 1; ; tries++) {
        try {
          return await handle.transaction().execute(job);
        } catch (error) {
          if (!isConflict(error) || tries === MOST_TRIES) throw error;
        }
      }
    },
    // Nobody tells us what other instances change: every read asks.
    changeStamp: () => undefined,
    now: () => (clock ? sql<number>`${clock.nowMs()}::bigint` : SERVER_TIME),
    close: () => handle.destroy(),
  };
}
