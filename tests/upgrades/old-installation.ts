// Makes an installation of an earlier release from its fixture, on the engine under test, and reads all of its rows.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { databaseSettings, engine, openRecords, readRecords } from '../support/engine.ts';
import { copied } from '../support/tables.ts';
import { readRows } from './fixture.ts';

/** The columns of each table. */
export type Columns = Map<string, string[]>;

/** Only the fixture decides what the installation has: no service of this release has seen it. */
export async function makeOldInstallation(dataDir: string, version: number): Promise<void> {
  mkdirSync(dataDir, { recursive: true });
  const { DATABASE_URL: url } = await databaseSettings(dataDir);
  const later = migrations.splice(version);
  try {
    const made = url
      ? await openPostgres({ url, poolSize: 1, statementTimeoutMs: 10_000 })
      : openSqlite(join(dataDir, 'gastpass.sqlite'));
    await made.close();
  } finally {
    migrations.push(...later);
  }
  const records = openRecords(dataDir);
  for (const line of ['begin', ...readRows(version).trim().split('\n'), 'commit']) records.change(line);
  if (engine === 'postgres') {
    const generated = records.rows(
      "select table_name as name from information_schema.columns where is_identity = 'YES'",
    );
    for (const { name } of generated)
      records.rows(
        `select setval(pg_get_serial_sequence('${name}', 'id'), (select coalesce(max(id), 0) + 1 from ${name}), false)`,
      );
  }
  records.close();
}

export function readColumns(dataDir: string): Columns {
  const rows = readRecords(
    dataDir,
    engine === 'postgres'
      ? "select table_name as table, column_name as column from information_schema.columns where table_schema = 'public'"
      : `select objects.name as "table", columns.name as "column" from sqlite_schema as objects, pragma_table_info(objects.name) as columns where objects.type = 'table'`,
  );
  const columns: Columns = new Map();
  for (const { table, column } of rows) {
    if (!copied.has(String(table))) continue;
    columns.set(String(table), [...(columns.get(String(table)) ?? []), String(column)].sort());
  }
  return columns;
}

/** All rows of these tables, with these columns only. */
export function readAllRows(dataDir: string, columns: Columns): Record<string, unknown[]> {
  const all: Record<string, unknown[]> = {};
  for (const [table, keys] of copied) {
    const names = columns.get(table);
    if (names)
      all[table] = readRecords(
        dataDir,
        `select ${names.join(', ')} from ${table} order by ${keys.join(', ')}`,
      );
  }
  return all;
}

/** What the upgrade must keep. Migration 5 deletes notifications that were never meant for a webhook. */
export function rowsToKeep(dataDir: string, columns: Columns, version: number): Record<string, unknown[]> {
  const all = readAllRows(dataDir, columns);
  return version < 5 ? { ...all, outbox: [] } : all;
}

export function readVersion(dataDir: string): number {
  const sql =
    engine === 'postgres' ? 'select max(version) as user_version from schema_version' : 'pragma user_version';
  return Number(readRecords(dataDir, sql)[0]?.user_version);
}
