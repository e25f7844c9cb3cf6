// Opens the SQLite database of an installation, and migrates it if requested. Keeps one connection for writes and one
// for reads, so that a read never sees an uncommitted change.

import { chmodSync, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { type Clock, systemClock } from '../../domain/clock.ts';
import { BoundAtRun, type Database, type Handle } from '../database.ts';
import { migrations } from '../migrations/index.ts';
import type { SqlDialect } from '../migrations/migration.ts';
import {
  expectSchema,
  type Migrated,
  migratedSince,
  RESTORE_MARK,
  refuseNewerSchema,
  type SchemaRule,
  UnfinishedRestore,
} from '../schema-version.ts';
import { upsertSetting } from '../settings/installation-queries.ts';
import { firstNumber, makeChanges } from './changes.ts';
import { makeCheckpoints } from './checkpoints.ts';
import {
  connectSqlite,
  expectPermission,
  guarded,
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
const SPILLED_BYTES = 65_536;
const SPILLING_CACHE_PAGES = 5;

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
    writer.raw.close();
    throw error;
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
 * Copies the log of an earlier process into the database file, and syncs it. That process may have ended before its last
 * sync, or because of a failed one: what can be read from the log then need not be on the disk, and after a power cut
 * nothing that was written behind it would be found. If another connection reads for seconds, the log stays.
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
    raw.exec('rollback');
    throw error;
  }
}
