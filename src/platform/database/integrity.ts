// Checks that a database is intact: its pages, its references and its constraints. Reads the whole database.

import { sql } from 'kysely';
import { withSnapshot } from '../backup/snapshot.ts';
import type { Handle } from './database.ts';
import type { StorageLocation } from './open-storage.ts';
import { copiedTables, type TableDeclarations } from './tables/table-declarations.ts';
import { chunksOf } from './tables/table-rows.ts';
import { findUnknownRows } from './tables/unknown-tables.ts';

const MAX_DEFECTS = 20;

export interface Integrity {
  rows: number;
  /** One line for each defect, at most twenty. */
  defects: string[];
}

export function checkIntegrity(place: StorageLocation, tables: TableDeclarations): Promise<Integrity> {
  return withSnapshot(place, async ({ handle, engine }) => {
    const defects = engine === 'SQLite' ? await checkFile(handle) : await checkServer(handle);
    defects.push(...(await findUnknownRows(handle, { isServer: engine === 'PostgreSQL', tables })));
    let rows = 0;
    for (const [table, { key }] of copiedTables(tables))
      for await (const chunk of chunksOf(handle, table, key)) rows += chunk.length;
    return { rows, defects: defects.slice(0, MAX_DEFECTS) };
  });
}

async function checkFile(handle: Handle): Promise<string[]> {
  const { rows: pages } = await sql<{ integrity_check: string }>`
    pragma integrity_check(${sql.lit(MAX_DEFECTS)})`.execute(handle);
  const { rows: orphans } = await sql<{ table: string; parent: string; rowid: number | null }>`
    pragma foreign_key_check`.execute(handle);
  return [
    ...pages.map(({ integrity_check: text }) => text).filter((text) => text !== 'ok'),
    ...orphans.map(
      ({ table, parent, rowid }) => `${table} row ${rowid ?? '?'} refers to a missing row of ${parent}`,
    ),
  ];
}

interface Reference {
  name: string;
  child: string;
  parent: string;
  columns: string[];
  referenced: string[];
}

async function checkServer(handle: Handle): Promise<string[]> {
  const defects: string[] = [];
  const { rows: invalid } = await sql<{ name: string }>`
    select conname::text as name from pg_constraint
    where connamespace = current_schema()::regnamespace and not convalidated
    union all
    select c.relname::text from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relnamespace = current_schema()::regnamespace and not i.indisvalid`.execute(handle);
  for (const { name } of invalid) defects.push(`${name} is not valid`);

  const names = (key: string, table: string) => sql`array(
    select a.attname::text from unnest(${sql.ref(key)}) with ordinality as k (number, place)
    join pg_attribute a on a.attrelid = ${sql.ref(table)} and a.attnum = k.number order by k.place)`;
  const { rows: references } = await sql<Reference>`
    select conname::text as name, conrelid::regclass::text as child, confrelid::regclass::text as parent,
      ${names('conkey', 'conrelid')} as columns, ${names('confkey', 'confrelid')} as referenced
    from pg_constraint where connamespace = current_schema()::regnamespace and contype = 'f'`.execute(handle);
  for (const reference of references) {
    const orphans = await countOrphans(handle, reference);
    if (orphans > 0)
      defects.push(`${orphans} rows of ${reference.child} refer to missing rows of ${reference.parent}`);
  }
  return defects;
}

async function countOrphans(
  handle: Handle,
  { child, parent, columns, referenced }: Reference,
): Promise<number> {
  const isSet = columns.map((column) => sql`c.${sql.ref(column)} is not null`);
  const isEqual = columns.map((column, at) => sql`p.${sql.ref(referenced[at] ?? '')} = c.${sql.ref(column)}`);
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${sql.table(child)} c where ${sql.join(isSet, sql` and `)}
      and not exists (select 1 from ${sql.table(parent)} p where ${sql.join(isEqual, sql` and `)})`.execute(
    handle,
  );
  return Number(rows[0]?.count);
}
