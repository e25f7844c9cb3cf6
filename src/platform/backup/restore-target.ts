// The empty database that a backup is restored into. All data is written in one transaction. Until the commit, the
// database has only a marker table, so that no service takes it for a new database.

import { chmodSync } from 'node:fs';
import { sql } from 'kysely';
import type { Handle } from '../database/database.ts';
import { migrations } from '../database/migrations/index.ts';
import type { SqlDialect } from '../database/migrations/migration.ts';
import type { StorageLocation } from '../database/open-storage.ts';
import { connectPostgres, type PostgresOptions } from '../database/postgres/connection.ts';
import { MIGRATION_LOCK, dialect as postgresDialect } from '../database/postgres/migrate.ts';
import { RESTORE_MARK } from '../database/schema-version.ts';
import { connectSqlite, guarded, sqliteFileIn } from '../database/sqlite/connection.ts';
import { dialect as sqliteDialect } from '../database/sqlite/open-sqlite.ts';
import { continueIds, type IdCounters } from '../database/tables/id-counters.ts';

const BUSY_TIMEOUT_MS = 10_000;
const NO_TIMEOUT = 0;
const MARK_TABLE = sql.table(RESTORE_MARK);

/** An empty database in an open transaction. */
export interface RestoreTarget {
  handle: Handle;
  /** Runs the migrations up to this version that have not run yet. */
  migrateTo(version: number): Promise<void>;
  continueIds(ids: IdCounters): Promise<void>;
}

interface Filling {
  /** The path of the backup file, which is stored in the marker table. */
  file: string;
  /** Called if the database is not empty. */
  refuseUsed: () => never;
  job: (target: RestoreTarget) => Promise<void>;
}

export function fillTarget(place: StorageLocation, filling: Filling): Promise<void> {
  return place.database ? fillServer(place.database, filling) : fillFile(place.dataDir, filling);
}

async function fillFile(dataDir: string, { file: backup, refuseUsed, job }: Filling): Promise<void> {
  const file = sqliteFileIn(dataDir);
  using connection = connectSqlite(file, { busyTimeoutMs: BUSY_TIMEOUT_MS, readOnly: false });
  const { raw, handle } = connection;
  chmodSync(file, 0o600);
  if (Number(raw.prepare('pragma user_version').get()?.user_version) > 0) refuseUsed();
  await handle.transaction().execute((transaction) => mark(transaction, backup));
  guarded(() => raw.exec('begin immediate'));
  await unmark(handle);
  await job({
    handle,
    migrateTo: makeMigrateTo(handle, sqliteDialect, (version) => `pragma user_version = ${version}`),
    continueIds: (ids) => continueIds.sqlite(handle, ids),
  });
  guarded(() => raw.exec('commit'));
}

async function fillServer(options: PostgresOptions, { file, refuseUsed, job }: Filling): Promise<void> {
  await using server = await connectPostgres({ ...options, poolSize: 1, statementTimeoutMs: NO_TIMEOUT });
  await server.transaction().execute(async (handle) => {
    await lockEmpty(handle, refuseUsed);
    await mark(handle, file);
  });
  await server.transaction().execute(async (handle) => {
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(handle);
    await lockEmpty(handle, refuseUsed);
    await unmark(handle);
    await sql`create table schema_version (version bigint primary key)`.execute(handle);
    await job({
      handle,
      migrateTo: makeMigrateTo(
        handle,
        postgresDialect,
        (version) => `insert into schema_version values (${version})`,
      ),
      continueIds: (ids) => continueIds.postgres(handle, ids),
    });
  });
}

/** Takes the lock of migrations, so that an instance that starts meanwhile waits. Then refuses a used database. */
async function lockEmpty(transaction: Handle, refuseUsed: () => never): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(MIGRATION_LOCK)})`.execute(transaction);
  const { rows } = await sql<{ name: string | null }>`
    select to_regclass('schema_version') as name`.execute(transaction);
  if (rows[0]?.name) refuseUsed();
}

async function mark(transaction: Handle, file: string): Promise<void> {
  await unmark(transaction);
  await sql`create table ${MARK_TABLE} (file text)`.execute(transaction);
  await sql`insert into ${MARK_TABLE} values (${file})`.execute(transaction);
}

async function unmark(transaction: Handle): Promise<void> {
  await sql`drop table if exists ${MARK_TABLE}`.execute(transaction);
}

function makeMigrateTo(handle: Handle, dialect: SqlDialect, noteVersion: (version: number) => string) {
  let current = 0;
  return async (wanted: number) => {
    for (const { version, statements } of migrations.slice(current, wanted)) {
      for (const statement of [...statements(dialect), noteVersion(version)])
        await sql.raw(statement).execute(handle);
      current = version;
    }
  };
}
