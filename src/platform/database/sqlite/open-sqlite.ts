// Opens the SQLite database of an installation, and migrates it if requested. Keeps one connection for writes and one
// for reads, so that a read never sees an uncommitted change.

import { chmodSync, existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../../time/clock.ts';
import { DatabaseUnavailable } from '../../values/database-unavailable.ts';
import { BoundAtRun, type Database, type Handle } from '../database.ts';
import { upsertSetting } from '../installation-queries.ts';
import { migrations } from '../migrations/index.ts';
import type { Migration, SqlDialect } from '../migrations/migration.ts';
import {
  expectSchema,
  type Migrated,
  migratedSince,
  RESTORE_MARK,
  refuseNewerSchema,
  type SchemaRule,
  UnfinishedRestore,
} from '../schema-version.ts';
import { firstNumber, makeChanges } from './changes.ts';
import { makeCheckpoints } from './checkpoints.ts';
import {
  connectSqlite,
  expectPermission,
  guarded,
  isDiskFull,
  isFailedSync,
  type SqliteConnection,
} from './connection.ts';
import { makeGroupCommit } from './group-commit.ts';
import { makeLogSync } from './log-sync.ts';

export const dialect: SqlDialect = {
  rowId: 'integer primary key autoincrement',
  integer: 'integer',
  tableEnd: 'strict',
  bytewiseText: 'text',
  scratchTable: 'create table',
  isShared: false,
};

const OPENING_BUSY_TIMEOUT_MS = 10_000;
/** In WAL mode reads rarely wait. Waiting blocks the event loop, so the time-out is short. */
const READING_BUSY_TIMEOUT_MS = 50;
/** SQLite's code for a malformed file. */
const CORRUPT = 11;
const SPILLED_BYTES = 65_536;
const SPILLING_CACHE_PAGES = 5;

const MB = 1_000_000;
/** For the log, and for the tables of a new database. */
const MIN_MIGRATION_BYTES = 10 * MB;
/** For the new rows and indexes, both in the log and in the database file. Measured with the log of notifications. */
const BYTES_PER_BYTE = 4;

interface Options {
  clock?: Clock;
  schema?: SchemaRule;
  /** Called if a checkpoint fails. Nothing is lost: the log grows until a later checkpoint succeeds. */
  onCheckpointError?: ((error: unknown) => void) | undefined;
}

export function openSqlite(
  file: string,
  { clock = systemClock, schema = 'migrate', onCheckpointError = () => {} }: Options = {},
): Database {
  // SQLite opens a file without write permission as read-only. A later write would then fail without saying why.
  if (schema === 'migrate') expectPermission(file);
  const writer = connectSqlite(file, { busyTimeoutMs: OPENING_BUSY_TIMEOUT_MS, readOnly: false });
  // The file contains password hashes and codes: no other user of this machine may read it.
  if (schema === 'migrate') chmodSync(file, 0o600);
  let migrated: Migrated | undefined;
  try {
    if (schema === 'migrate') {
      migrated = guarded(() => migrate(writer));
      emptyLog(writer);
    } else expectSchema(readVersion(writer), `in ${dirname(file)}`);
  } catch (error) {
    const neededBytes = isDiskFull(error) ? estimate(writer) : undefined;
    // Closing also frees the space of the log.
    writer.raw.close();
    throw neededBytes === undefined ? error : new DiskFull(file, neededBytes);
  }
  // From here on the writer waits for locks by retrying, which does not block the event loop. Its commits are synced by
  // `log.sync`, and checkpoints run in a worker thread.
  writer.raw.exec('pragma busy_timeout = 0; pragma synchronous = normal; pragma wal_autocheckpoint = 0');

  const reader = connectSqlite(file, { busyTimeoutMs: READING_BUSY_TIMEOUT_MS, readOnly: true });
  const changes = makeChanges(writer.raw);
  const log = makeLogSync(file);
  const { write, betweenBatches, finish, untilDurable } = makeGroupCommit(writer, {
    log,
    onCommit(jobs) {
      changes.committed(jobs);
      checkpoints.noteCommit();
    },
  });
  const checkpoints = makeCheckpoints(file, {
    raw: writer.raw,
    betweenBatches,
    onError(error) {
      if (isFailedSync(error)) log.lose(error);
      onCheckpointError(error);
    },
  });

  return {
    read: reader.handle,
    write,
    changeStamp: changes.stamp,
    noteArrival: changes.noteArrival,
    onListChange: changes.onListChange,
    now: () => sql<number>`${new BoundAtRun(() => clock.nowMs())}`,
    listOf: (ids) => sql<number>`(select value from json_each(${JSON.stringify(ids)}))`,
    // Transactions run one after another, so no other transaction can change a row at the same time.
    heldRows: () => sql``,
    lockedRows: () => sql``,
    closedRows: () => sql``,
    freeRows: () => sql``,
    holdName: async () => {},
    needDisk: (transaction) => spill(writer, transaction),
    needIntact: once(() => expectIntact(file, reader)),
    whenLost: log.whenLost,
    untilDurable,
    migrated,
    close: async () => {
      await finish();
      await checkpoints.close();
      await finish();
      reader.raw.close();
      writer.raw.close();
      log.close();
    },
  };
}

/**
 * Copies the log of an earlier process into the database file, and syncs it. That process may have ended before its
 * last sync, or because of a failed one: what can be read from the log then need not be on the disk, and after a power
 * cut nothing that was written behind it would be found. If another connection reads for seconds, the log stays.
 */
function emptyLog({ raw }: SqliteConnection): void {
  guarded(() => raw.exec('pragma wal_checkpoint(truncate)'));
}

/**
 * A transaction stays in memory until its commit, unless it needs more memory than the cache has. So the cache is made
 * smaller than the row that is written here, which makes SQLite write to the disk.
 */
async function spill({ raw }: SqliteConnection, transaction: Handle): Promise<void> {
  const ofWriter = guarded(() => firstNumber(Object.values(raw.prepare('pragma cache_size').get() ?? {})));
  raw.exec(`pragma cache_size = ${SPILLING_CACHE_PAGES}`);
  try {
    await upsertSetting(transaction, 'last_probe', 'x'.repeat(SPILLED_BYTES));
  } finally {
    raw.exec(`pragma cache_size = ${ofWriter}`);
  }
}

/** Up to this size, the pages are checked in well under a second. */
const MAX_CHECKED_BYTES = 32_000_000;

function expectIntact(file: string, { raw }: SqliteConnection): void {
  if (statSync(file).size > MAX_CHECKED_BYTES) return;
  const [found] = Object.values(guarded(() => raw.prepare('pragma quick_check(1)').get()) ?? {});
  if (found !== 'ok')
    throw new DatabaseUnavailable(Object.assign(new Error(String(found)), { errcode: CORRUPT }));
}

/** Runs the check once, and repeats its error. */
function once(check: () => void): () => void {
  let outcome: { error?: unknown } | undefined;
  return () => {
    if (!outcome) {
      try {
        check();
        outcome = {};
      } catch (error) {
        outcome = { error };
      }
    }
    if ('error' in outcome) throw outcome.error;
  };
}

/** The schema version of the database file, 0 if there is none. Throws UnfinishedRestore. */
export function readSqliteVersion(file: string): number {
  if (!existsSync(file)) return 0;
  using connection = connectSqlite(file, { busyTimeoutMs: OPENING_BUSY_TIMEOUT_MS, readOnly: true });
  return readVersion(connection);
}

function readVersion({ raw }: SqliteConnection): number {
  const version = firstNumber(Object.values(guarded(() => raw.prepare('pragma user_version').get()) ?? {}));
  if (version === 0) refuseUnfinishedRestore(raw);
  return version;
}

function refuseUnfinishedRestore(raw: DatabaseSync): void {
  const mark = raw.prepare('select 1 from sqlite_schema where name = ?').get(RESTORE_MARK);
  if (mark) throw new UnfinishedRestore(String(raw.prepare(`select file from ${RESTORE_MARK}`).get()?.file));
}

function migrate(connection: SqliteConnection): Migrated | undefined {
  const { raw } = connection;
  raw.exec('begin immediate');
  try {
    const startedAt = performance.now();
    const current = readVersion(connection);
    refuseNewerSchema(current);
    for (const migration of migrations.slice(current)) {
      for (const statement of migration.statements(dialect)) raw.exec(statement);
      raw.exec(`pragma user_version = ${migration.version}`);
    }
    raw.exec('commit');
    return migratedSince(current, startedAt);
  } catch (error) {
    // On a full disk, SQLite has rolled back by itself.
    if (raw.isTransaction) raw.exec('rollback');
    throw error;
  }
}

/** How many bytes of the disk the missing migrations need. */
export function estimateMigration(file: string): number {
  if (!existsSync(file)) return MIN_MIGRATION_BYTES;
  using connection = connectSqlite(file, { busyTimeoutMs: OPENING_BUSY_TIMEOUT_MS, readOnly: true });
  return estimate(connection);
}

function estimate(connection: SqliteConnection): number {
  return guarded(() => estimateSpace(connection.raw, migrations.slice(readVersion(connection))));
}

class DiskFull extends Error {
  constructor(file: string, neededBytes: number) {
    const { bavail, bsize } = statfsSync(file);
    const need = neededBytes > 0 ? `the migration needs up to ${toMb(neededBytes)} MB there, ` : '';
    super(
      `the disk of ${file} is full: ${need}${toMb(bavail * bsize)} MB are free. Delete other files on this disk or enlarge it, then start again`,
    );
    this.name = 'DiskFull';
  }
}

function toMb(bytes: number): number {
  return Math.ceil(bytes / MB);
}

/** Rather too much: every table that the statements read or index counts in full. */
function estimateSpace(raw: DatabaseSync, missing: Migration[]): number {
  if (missing.length === 0) return 0;
  const statements = missing.flatMap((migration) => migration.statements(dialect)).join(';');
  const touched = new Set(
    [...statements.matchAll(/\b(?:from|on|update)\s+(\w+)/g)].map(([, table]) => table),
  );
  const sizes = raw
    .prepare(
      'select tbl_name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by tbl_name',
    )
    .all();
  const bytes = sizes
    .filter(({ tbl_name }) => touched.has(String(tbl_name)))
    .reduce((sum, size) => sum + Number(size.bytes), 0);
  return MIN_MIGRATION_BYTES + BYTES_PER_BYTE * bytes;
}
