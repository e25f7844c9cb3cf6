// Opens a PostgreSQL database that any number of instances share: migrates it, then hands out a pool to read
// with and transactions to write in.

import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Clock } from '../../domain/clock.ts';
import { WrongConfiguration } from '../../domain/wrong-configuration.ts';
import type { Database } from '../database.ts';
import { MARK } from '../move/move-to-postgres.ts';
import { guarded, isConflict, makeHandle, makePool, type PostgresOptions } from './connection.ts';
import { migratePostgres } from './migrate.ts';
import { makeSemaphore } from './semaphore.ts';

const MAX_ATTEMPTS = 5;
const KEPT_FOR_READERS = 2;
const SERVER_TIME = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

interface Special {
  /** Time is the server's own, which all instances share, unless somebody else is to say what time it is. */
  clock?: Clock | undefined;
  /** A database in which a move was interrupted may be opened, to finish it. */
  forMove?: boolean;
}

export async function openPostgres(
  options: PostgresOptions,
  { clock, forMove = false }: Special = {},
): Promise<Database> {
  await migratePostgres(options);
  const pool = await makePool(options);
  try {
    if (!forMove) await refuseHalfMoved(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const handle = makeHandle(pool);
  // Writers that wait for a lock must not keep readers waiting, who need none.
  const writers = makeSemaphore(Math.max(1, options.poolSize - KEPT_FOR_READERS));

  return {
    read: handle,
    async write(job, who) {
      await writers.enter(who);
      try {
        return await retried(() => handle.transaction().execute(job));
      } finally {
        writers.leave();
      }
    },
    // Nobody tells us what other instances change: every read asks.
    changeStamp: () => undefined,
    now: () => (clock ? sql<number>`${clock.nowMs()}::bigint` : SERVER_TIME),
    close: () => handle.destroy(),
  };
}

async function retried<Value>(transaction: () => Promise<Value>): Promise<Value> {
  for (let tries = 1; ; tries++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isConflict(error) || tries === MAX_ATTEMPTS) throw error;
    }
  }
}

async function refuseHalfMoved(pool: Pool): Promise<void> {
  const { rows } = await guarded(() => pool.query('select to_regclass($1) as mark', [MARK]));
  if (rows[0]?.mark)
    throw new WrongConfiguration(
      'a move into this database was interrupted: repeat gastpass move, or name another database',
    );
}
