// Reads and changes all columns with sealed values, which the tables declare. `rekey` and `doctor` visit exactly these
// columns. Code that seals a value for another column does not compile.

import { sql } from 'kysely';
import type { Handle } from '../database/database.ts';
import type { Tables } from '../database/schema.ts';
import type { SealedColumn, TableDeclarations } from '../database/tables/table-declarations.ts';

type SealedIn<Table extends keyof Tables> = Extract<keyof Tables[Table], `sealed_${string}`>;

/** Where a sealed value is stored. The value can be opened only there. */
export interface Place {
  table: string;
  column: string;
  /** The value of the row's key. */
  row: number | string;
}

/** A place for a new sealed value. */
export interface SealedPlace extends Place {
  table:
    | { [Table in keyof Tables]: SealedIn<Table> extends never ? never : Table }[keyof Tables]
    | 'settings';
  column: { [Table in keyof Tables]: SealedIn<Table> }[keyof Tables] | 'value';
}

export function sealedColumnsOf(
  tables: TableDeclarations,
): (SealedColumn & { table: string; column: string })[] {
  return Object.entries(tables).flatMap(([table, { sealed = {} }]) =>
    Object.entries(sealed).map(([column, declared]) => ({ table, column, ...declared })),
  );
}

/** The check value shows whether a secret fits the database, and how new values are sealed. */
export const CHECK_PLACE: SealedPlace = { table: 'settings', column: 'value', row: 'secret_check' };

export interface StoredValue extends Pick<SealedColumn, 'key' | 'replaceable'> {
  place: Place;
  sealed: string;
}

export async function selectSealedValues(handle: Handle, tables: TableDeclarations): Promise<StoredValue[]> {
  const values: StoredValue[] = [];
  for (const { table, column, key, replaceable } of sealedColumnsOf(tables)) {
    const { rows } = await sql<{ id: number | string; sealed: string }>`
      select ${sql.ref(key)} as id, ${sql.ref(column)} as sealed from ${sql.table(table)}
      where ${sql.ref(column)} is not null order by 1
    `.execute(handle);
    for (const { id, sealed } of rows)
      values.push({ place: { table, column, row: id }, sealed, key, ...(replaceable && { replaceable }) });
  }
  return values;
}

/** `is not null` lets the engines use an index that has only the rows with a sealed value. */
export async function updateSealedValue(
  handle: Handle,
  { place, key }: StoredValue,
  sealed: string,
): Promise<void> {
  const { table, column, row } = place;
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${sealed}
    where ${sql.ref(key)} = ${row} and ${sql.ref(column)} is not null
  `.execute(handle);
}

/** Deletes what cannot be opened, if it is replaceable. */
export async function deleteReplaceable(
  handle: Handle,
  { place, key, replaceable }: StoredValue,
): Promise<void> {
  const { table, column, row } = place;
  const from = typeof replaceable === 'object' ? replaceable.rowOf : table;
  await (replaceable === 'value'
    ? sql`update ${sql.table(table)} set ${sql.ref(column)} = null where ${sql.ref(key)} = ${row}`
    : sql`delete from ${sql.table(from)} where ${sql.ref(key)} = ${row}`
  ).execute(handle);
}
