// Opens a PostgreSQL database that any number of instances share. Migrates the database if requested, then provides a
// pool for reads and transactions for writes.

import { sql } from 'kysely';
import type { Clock } from '../../time/clock.ts';
import { WrongConfiguration } from '../../values/wrong-configuration.ts';
import { BoundAtRun, type Database, type Handle, type Urgency } from '../database.ts';
import { expectSchema, type Migrated, MOVE_MARK, type SchemaRule } from '../schema-version.ts';
import {
  connectPostgres,
  isConflict,
  makeConnectionSemaphore,
  type PostgresOptions,
  takePlace,
} from './connection.ts';
import { migratePostgres, readPostgresVersion } from './migrate.ts';

const MAX_ATTEMPTS = 5;
const KEPT_FOR_READERS = 2;
const SERVER_TIME = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
/**
 * The rows do not fit into so little memory, so the server writes some 100 kB to a temporary file on the disk of the
 * tables. Unlike a row that is rolled back, the file leaves nothing in the tables or the write-ahead log.
 */
const NEED_DISK = sql`set local work_mem = '64kB'; set local temp_tablespaces = '';
  select count(*) from generate_series(1, 20000)`;

interface Special {
  schema?: SchemaRule;
  /** Replaces the server's clock, which all instances share. Used by tests. */
  clock?: Clock | undefined;
  /** Allows opening a database in which a move was interrupted, to repeat the move. */
  forMoveToPostgres?: boolean;
}

export async function openPostgres(
  options: PostgresOptions,
  { clock, forMoveToPostgres = false, schema = 'migrate' }: Special = {},
): Promise<Database> {
  let migrated: Migrated | undefined;
  if (schema === 'migrate') migrated = await migratePostgres(options);
  else expectSchema(await readPostgresVersion(options), 'at DATABASE_URL');
  const handle = await connectPostgres(options);
  try {
    if (!forMoveToPostgres) await refuseHalfMoved(handle);
  } catch (error) {
    await handle.destroy();
    throw error;
  }
  // Keep some connections for reads: reads need no locks, so they must not wait for writers that wait for locks.
  const writers = makeConnectionSemaphore(Math.max(1, options.poolSize - KEPT_FOR_READERS));

  async function writeAtOnce<Value>(
    statement: (handle: Handle) => Promise<Value>,
    urgency?: Urgency,
  ): Promise<Value> {
    await takePlace(writers, urgency);
    try {
      return await retried(() => statement(handle));
    } finally {
      writers.release();
    }
  }

  return {
    read: handle,
    write: (job, urgency) => writeAtOnce(() => handle.transaction().execute(job), urgency),
    writeAtOnce,
    // There is no notice of changes by other instances, so every read queries the database.
    changeStamp: () => undefined,
    onListChange: () => {},
    now: () => (clock ? sql<number>`${new BoundAtRun(() => clock.nowMs())}::bigint` : SERVER_TIME),
    // For a JSON array of any length, the planner expects few rows, so it looks up each id in the index.
    listOf: (ids) => sql<number>`(select json_array_elements_text(${JSON.stringify(ids)}::json)::bigint)`,
    // Skips locked rows. Other transactions change these rows in another order, so waiting could end in a deadlock.
    heldRows: () => sql`for share skip locked`,
    lockedRows: () => sql`for no key update`,
    closedRows: () => sql`for update`,
    freeRows: () => sql`for update skip locked`,
    holdName: async (transaction, name) =>
      void (await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction)),
    needDisk: async (transaction) => void (await NEED_DISK.execute(transaction)),
    migrated,
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

async function refuseHalfMoved(handle: Handle): Promise<void> {
  const { rows } = await sql<{ mark: string | null }>`select to_regclass(${MOVE_MARK}) as mark`.execute(
    handle,
  );
  if (rows[0]?.mark)
    throw new WrongConfiguration(
      'a move into this database was interrupted: repeat gastpass move, or name another database',
    );
}
