// One connection to the SQLite file: its settings, its statement cache, and the adapter between Kysely and
// `node:sqlite`. Errors are thrown as DatabaseUnavailable if the database is unavailable, otherwise as DatabaseError.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type DatabaseSyncOptions, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { Kysely, type QueryResult, SqliteDialect } from 'kysely';
import { DatabaseError } from '../../values/database-error.ts';
import { DatabaseUnavailable } from '../../values/database-unavailable.ts';
import { WrongConfiguration } from '../../values/wrong-configuration.ts';
import { runCompiledDirectly } from '../compiled-query.ts';
import { BoundAtRun, type Handle, toStoredText } from '../database.ts';
import { collectListChanges } from '../list-changes.ts';
import type { Tables } from '../schema.ts';
import { collectWrittenData, type WrittenData, watchStatements } from './written-data.ts';

/**
 * Primary result codes: busy, locked, out of memory, read-only, I/O error, corrupt, full, cannot open, not a database.
 */
const UNAVAILABLE_CODES = new Set([5, 6, 7, 8, 10, 11, 13, 14, 26]);

/** The code of errors that a trigger raises. Their text was written for the caller, so they are passed on unchanged. */
const RAISED_BY_TRIGGER = 1_811;

/** A restart of the log shortens its file to this size. */
export const MAX_RESTING_LOG_BYTES = 67_108_864;

/** Disposing closes the connection and rolls back changes that are not committed. */
export interface SqliteConnection extends Disposable {
  raw: DatabaseSync;
  handle: Handle;
  /** What the statements of the handle have written. A read-only connection collects nothing. */
  written: WrittenData;
}

/** SQLite does not say why it cannot open a file. The error of the operating system gives the reason and the path. */
export function openFile(file: string, options: DatabaseSyncOptions): DatabaseSync {
  try {
    return new DatabaseSync(file, options);
  } catch (error) {
    expectPermission(file);
    throw error;
  }
}

/** Throws if this process may not write the file, or the files that SQLite keeps beside it. */
export function expectPermission(file: string): void {
  const readWrite = constants.R_OK | constants.W_OK;
  accessSync(dirname(file), readWrite | constants.X_OK);
  for (const path of [file, `${file}-wal`, `${file}-shm`]) if (existsSync(path)) accessSync(path, readWrite);
}

export const sqliteFileIn = (dataDir: string) => join(dataDir, 'gastpass.sqlite');

/** Thrown if something has emptied the database file. Otherwise, a service would begin a new installation in it. */
export class EmptiedDatabase extends WrongConfiguration {
  constructor(file: string) {
    super(
      `${file} is empty (0 bytes), but the file secret beside it belongs to an installation: delete the empty file, and restore a backup with gastpass restore; without a backup, the next start begins a new installation`,
    );
    this.name = 'EmptiedDatabase';
  }
}

/** Call it before opening the file, which writes the first page. */
function refuseEmptied(file: string): void {
  const isEmptied = statSync(file, { throwIfNoEntry: false })?.size === 0 && !existsSync(`${file}-wal`);
  if (isEmptied && existsSync(join(dirname(file), 'secret'))) throw new EmptiedDatabase(file);
}

/** SQLite's codes for a file that is read-only, and for one that cannot be opened. */
const INACCESSIBLE_CODES = [8, 14];

export function connectSqlite(
  file: string,
  { readOnly, busyTimeoutMs = 5_000 }: { readOnly: boolean; busyTimeoutMs?: number },
): SqliteConnection {
  refuseEmptied(file);
  return guarded(() => {
    const raw = openFile(file, { timeout: busyTimeoutMs });
    try {
      return prepare(raw, readOnly);
    } catch (error) {
      raw.close();
      if (INACCESSIBLE_CODES.includes(sqliteCodeOf(error) ?? 0)) expectPermission(file);
      throw error;
    }
  });
}

function prepare(raw: DatabaseSync, readOnly: boolean): SqliteConnection {
  raw.exec('pragma journal_mode = wal');
  // Set explicitly, because some builds report FULL by default but act as NORMAL in WAL mode.
  raw.exec('pragma synchronous = full');
  raw.exec('pragma foreign_keys = on');
  raw.exec(`pragma journal_size_limit = ${MAX_RESTING_LOG_BYTES}`);
  if (readOnly) raw.exec('pragma query_only = on');
  const written = collectWrittenData();
  const database = adapt(raw, readOnly ? undefined : written);
  const handle: Handle = new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
  runCompiledDirectly(handle, (sql, parameters) => runStatement(database.prepare(sql), parameters));
  collectListChanges(handle, written.note);
  return { raw, handle, written, [Symbol.dispose]: () => raw.close() };
}

function translateError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  const extendedCode = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0;
  const sqliteCode = extendedCode & 0xff;
  const closed = code === 'ERR_INVALID_STATE';
  if (closed || UNAVAILABLE_CODES.has(sqliteCode)) return new DatabaseUnavailable(error);
  return sqliteCode > 0 && extendedCode !== RAISED_BY_TRIGGER ? new DatabaseError(error) : error;
}

/** Whether the error means that another connection holds the lock. The step may succeed a moment later. */
export function isBusy(error: unknown): boolean {
  return sqliteCodeOf(error) === 5;
}

export function isDiskFull(error: unknown): boolean {
  return sqliteCodeOf(error) === 13;
}

/** SQLite's extended code for a sync that the disk has refused. */
const FAILED_SYNC = 1_034;

export function isFailedSync(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === FAILED_SYNC;
}

/** Returns SQLite's primary result code, also of a translated error; undefined if the error is not from SQLite. */
export function sqliteCodeOf(error: unknown): number | undefined {
  const cause = error instanceof DatabaseError ? error.cause : error;
  if (!(cause instanceof Error && 'errcode' in cause && typeof cause.errcode === 'number')) return undefined;
  return cause.errcode & 0xff;
}

/** Runs a call to SQLite and translates its errors. */
export function guarded<Value>(step: () => Value): Value {
  try {
    return step();
  } catch (error) {
    throw translateError(error);
  }
}

/** Larger than the number of the service's queries. A list of ids makes one statement for each length of the list. */
const MAX_STATEMENTS = 500;

/** Kysely's SQLite dialect expects the interface of better-sqlite3; this adapter provides it for `node:sqlite`. */
function adapt(raw: DatabaseSync, written: WrittenData | undefined) {
  const statements = new Map<string, AdaptedStatement>();
  const prepareStatement = written
    ? makePrepare(raw, { written, onNewSchema: () => statements.clear() })
    : (sql: string) => adaptStatement(raw.prepare(sql));
  return {
    prepare(sql: string) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = guarded(() => prepareStatement(sql));
        const [oldest] = statements.keys();
        if (statements.size >= MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
        statements.set(sql, statement);
      }
      return statement;
    },
    close: () => raw.close(),
  };
}

/** The effect of a statement is noted each time the statement runs. */
function makePrepare(
  raw: DatabaseSync,
  { written, onNewSchema }: { written: WrittenData; onNewSchema: () => void },
): (sql: string) => AdaptedStatement {
  const prepareWatched = watchStatements(raw, { written, onNewSchema });
  return function prepareStatement(sql) {
    const { statement, effect } = prepareWatched(sql);
    return adaptStatement(statement, effect === 'nothing' ? undefined : () => written.add(effect));
  };
}

type AdaptedStatement = ReturnType<typeof adaptStatement>;

function adaptStatement(statement: StatementSync, onRun?: () => void) {
  const bind = (values: readonly unknown[]) => {
    onRun?.();
    return values.map(toInputValue);
  };
  return {
    reader: statement.columns().length > 0,
    all: (values: readonly unknown[]) => guarded(() => statement.all(...bind(values))),
    run: (values: readonly unknown[]) => guarded(() => statement.run(...bind(values))),
    iterate: (values: readonly unknown[]) => guarded(() => statement.iterate(...bind(values))),
  };
}

/** Returns what Kysely's driver returns for the statement. */
function runStatement<Row>(statement: AdaptedStatement, values: unknown[]): QueryResult<Row>;
function runStatement(statement: AdaptedStatement, values: unknown[]): QueryResult<unknown> {
  if (statement.reader) return { rows: statement.all(values) };
  return { rows: [], numAffectedRows: BigInt(statement.run(values).changes) };
}

function toInputValue(value: unknown): SQLInputValue {
  if (value instanceof BoundAtRun) return value.read();
  if (typeof value === 'string') return toStoredText(value);
  if (value === null || typeof value === 'number') return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}
