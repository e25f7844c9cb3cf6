// Copies an installation from SQLite to an empty PostgreSQL database, table by table, and compares each table after the
// copy. Until the move is complete, a marker table prevents the use of the target, and a repeated move starts over.

import { sql } from 'kysely';
import { systemClock } from '../../time/clock.ts';
import { WrongConfiguration } from '../../values/wrong-configuration.ts';
import type { Database, Handle } from '../database.ts';
import { expectFile, openStorage, type StorageLocation } from '../open-storage.ts';
import { openPostgres } from '../postgres/open-postgres.ts';
import { MOVE_MARK } from '../schema-version.ts';
import { lockForService } from '../service-lock.ts';
import { continueIds, readSqliteIds } from '../tables/id-counters.ts';
import { copiedTables, type TableDeclarations } from '../tables/table-declarations.ts';
import {
  addToSum,
  chunksOf,
  compareWithCopied,
  countRowsOf,
  insertRows,
  type Sum,
  toStorableRows,
} from '../tables/table-rows.ts';
import { refuseUnknownRows } from '../tables/unknown-tables.ts';

const POOL_SIZE = 2;
const STATEMENT_TIMEOUT_MS = 600_000;

export interface MovedTable {
  table: string;
  rows: number;
  /** The number of texts in which � replaces a character that cannot be stored. */
  replaced: number;
}

export type OnProgress = (table: string, done: number, total: number) => void;

/** Moves the installation in a data folder to PostgreSQL. Fails if a service is running on the folder. */
export async function moveInstallationToPostgres(
  { dataDir, secret, previousSecret }: StorageLocation,
  { url, tables, onProgress }: { url: string; tables: TableDeclarations; onProgress: OnProgress },
): Promise<MovedTable[]> {
  expectFile(dataDir);
  using _lock = lockForService(dataDir);
  await using source = await openStorage({ dataDir, secret, previousSecret }, systemClock, 'expect');
  const options = { url, poolSize: POOL_SIZE, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
  const target = await openPostgres(options, { forMoveToPostgres: true });
  try {
    return await moveToPostgres(source.database, target, { tables, onProgress });
  } finally {
    await target.close();
  }
}

export async function moveToPostgres(
  source: Database,
  target: Database,
  { tables, onProgress }: { tables: TableDeclarations; onProgress: OnProgress },
): Promise<MovedTable[]> {
  await refuseUnknownRows(source.read, { isServer: false, tables });
  const copied = copiedTables(tables);
  await claimTarget(
    target,
    copied.map(([table]) => table),
  );
  const moved: MovedTable[] = [];
  for (const [table, { key }] of copied)
    moved.push(await moveTable({ source, target, table, key, onProgress }));
  await target.write(async (transaction) => {
    await continueIds.postgres(transaction, await readSqliteIds(source.read));
    await sql`drop table ${sql.table(MOVE_MARK)}`.execute(transaction);
  });
  return moved;
}

/** The target must be empty, or a database in which an earlier move was interrupted. */
async function claimTarget(target: Database, names: string[]): Promise<void> {
  await target.write(async (transaction) => {
    const { rows } = await sql<{ mark: string | null }>`select to_regclass(${MOVE_MARK}) as mark`.execute(
      transaction,
    );
    const tables = sql.join(names.map((table) => sql.table(table)));
    if (rows[0]?.mark) await sql`truncate ${tables}`.execute(transaction);
    else if (await isUsed(transaction, names))
      throw new WrongConfiguration('the database holds an installation already: name an empty one');
    else
      await sql`create table ${sql.table(MOVE_MARK)} (started_at timestamptz default now())`.execute(
        transaction,
      );
  });
}

async function isUsed(handle: Handle, names: string[]): Promise<boolean> {
  for (const table of names) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(handle);
    if (rows.length > 0) return true;
  }
  return false;
}

interface Moving {
  source: Database;
  target: Database;
  table: string;
  key: readonly string[];
  onProgress: OnProgress;
}

async function moveTable(moving: Moving): Promise<MovedTable> {
  const { source, target, table, key, onProgress } = moving;
  const total = await countRowsOf(source.read, table);
  let copied: Sum = { rows: 0, checksum: 0 };
  let replaced = 0;
  onProgress(table, 0, total);
  for await (const chunk of chunksOf(source.read, table, key)) {
    const storable = toStorableRows(chunk);
    await target.write((transaction) => insertRows(table, storable.rows).execute(transaction));
    copied = addToSum(copied, storable.rows);
    replaced += storable.replaced;
    onProgress(table, copied.rows, total);
  }
  await compareWithCopied(target.read, { table, key, copied });
  return { table, rows: copied.rows, replaced };
}
