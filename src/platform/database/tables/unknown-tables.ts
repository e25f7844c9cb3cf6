// Finds tables that no part of this program declares. A feature that was left out leaves its tables in the database:
// their rows must not be lost unnoticed.

import { sql } from 'kysely';
import { WrongConfiguration } from '../../values/wrong-configuration.ts';
import type { Handle } from '../database.ts';
import { migrations } from '../migrations/index.ts';
import type { TableDeclarations } from './table-declarations.ts';
import { countRowsOf } from './table-rows.ts';

const NO_TYPES = { rowId: '', integer: '', bytewiseText: '', tableEnd: '', isShared: true };

/** One line for each table that a migration created, that no part of this program declares, and that has rows. */
export async function findUnknownRows(
  handle: Handle,
  { isServer, tables }: { isServer: boolean; tables: TableDeclarations },
): Promise<string[]> {
  const { rows: existing } = await (isServer
    ? sql<{ name: string }>`select relname::text as name from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace`
    : sql<{ name: string }>`select name from sqlite_schema where type = 'table'`
  ).execute(handle);
  const statements = migrations.flatMap((one) =>
    one.statements({ ...NO_TYPES, scratchTable: 'create table' }),
  );
  const created = new Set(statements.map((text) => /create table (\w+)/.exec(text)?.[1]));
  const found: string[] = [];
  for (const { name } of existing) {
    if (!created.has(name) || Object.hasOwn(tables, name)) continue;
    const count = await countRowsOf(handle, name);
    if (count > 0) found.push(`no part of this program knows the table "${name}" (rows: ${count})`);
  }
  return found;
}

export async function refuseUnknownRows(...given: Parameters<typeof findUnknownRows>): Promise<void> {
  const found = await findUnknownRows(...given);
  if (found.length > 0)
    throw new WrongConfiguration(
      `${found.join('; ')}: use a program with the features that know these tables`,
    );
}
