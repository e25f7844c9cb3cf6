// Reads a database as it was at one moment, while services keep writing to it.

import { sql } from 'kysely';
import type { Handle } from '../database/database.ts';
import { expectFile, type StorageLocation } from '../database/open-storage.ts';
import { codeOf, connectPostgres, type PostgresOptions } from '../database/postgres/connection.ts';
import { expectSchema } from '../database/schema-version.ts';
import { connectSqlite, guarded, sqliteFileIn } from '../database/sqlite/connection.ts';
import { type IdCounters, readPostgresIds, readSqliteIds } from '../database/tables/id-counters.ts';

/** Counting the rows of a large table may take longer than the statement time-out of a service. */
const STATEMENT_TIMEOUT_MS = 600_000;
const UNDEFINED_TABLE = '42P01';

export interface Snapshot {
  handle: Handle;
  engine: 'SQLite' | 'PostgreSQL';
  schemaVersion: number;
  ids: IdCounters;
}

type Job<Value> = (snapshot: Snapshot) => Promise<Value>;

/** Refuses a database whose schema is not the one of this release. */
export function withSnapshot<Value>(place: StorageLocation, job: Job<Value>): Promise<Value> {
  return place.database ? ofServer(place.database, job) : ofFile(place.dataDir, job);
}

async function ofFile<Value>(dataDir: string, job: Job<Value>): Promise<Value> {
  expectFile(dataDir);
  using connection = connectSqlite(sqliteFileIn(dataDir), { readOnly: true });
  const { raw, handle } = connection;
  // The transaction sees the database as it is at its first read.
  guarded(() => raw.exec('begin'));
  const row = guarded(() => raw.prepare('pragma user_version').get());
  const schemaVersion = Number(row?.user_version);
  expectSchema(schemaVersion, `in ${dataDir}`);
  return await job({ handle, engine: 'SQLite', schemaVersion, ids: await readSqliteIds(handle) });
}

async function ofServer<Value>(options: PostgresOptions, job: Job<Value>): Promise<Value> {
  await using server = await connectPostgres({
    ...options,
    poolSize: 1,
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  return await server.transaction().execute(async (handle) => {
    const run = (statement: string) => sql.raw(statement).execute(handle);
    await run('set transaction isolation level repeatable read, read only');
    // The transaction is idle while rows are written to a slow file or pipe, so it must not time out.
    await run('set local idle_in_transaction_session_timeout = 0');
    // A migration locks this table first. So this lock waits for a running migration, and makes a later one wait. The
    // snapshot is taken by the next query, so it has the migrated schema.
    await run('lock table schema_version in share mode').catch(translateMissingTable);
    const { rows } = await sql<{ version: number }>`
      select coalesce(max(version), 0) as version from schema_version`.execute(handle);
    const schemaVersion = Number(rows[0]?.version);
    expectSchema(schemaVersion, 'at DATABASE_URL');
    return job({ handle, engine: 'PostgreSQL', schemaVersion, ids: await readPostgresIds(handle) });
  });
}

function translateMissingTable(error: unknown): never {
  if (codeOf(error) === UNDEFINED_TABLE) expectSchema(0, 'at DATABASE_URL');
  throw error;
}
