// Reads and fills a table page by page on either engine, and computes a checksum that does not depend on the order of
// the rows.

import { hash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { isStorable, toStorable } from '../../text/storable-text.ts';
import type { Handle } from '../database.ts';

const CHUNK_ROWS = 1_000;
/** 48 bits of each row's hash are added modulo 2^52, so that every sum is an exact integer below 2^53. */
const HASH_DIGITS = 12;
const MODULUS = 2 ** 52;

export type Row = Record<string, unknown>;

export interface Sum {
  rows: number;
  checksum: number;
}

export async function* chunksOf(
  handle: Handle,
  table: string,
  key: readonly string[],
  size = CHUNK_ROWS,
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  for (let last: Row | undefined; ; ) {
    const values = key.map((name) => sql`${last?.[name]}`);
    const after = last === undefined ? sql`true` : sql`(${columns}) > (${sql.join(values)})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${after} order by ${columns} limit ${sql.lit(size)}
    `.execute(handle);
    if (rows.length > 0) yield rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

export function insertRows(table: string, rows: Row[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {});
  const tuples = rows.map((row) => sql`(${sql.join(columns.map((name) => row[name]))})`);
  return sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))})
    values ${sql.join(tuples)}`;
}

/** Replaces characters that cannot be stored with �. SQLite files of earlier releases may contain such characters. */
export function toStorableRows(rows: Row[]): { rows: Row[]; replaced: number } {
  let replaced = 0;
  const clean = (value: unknown) => {
    if (isKept(value)) return value;
    replaced++;
    return toStorable(String(value));
  };
  const cleaned = rows.map((row) =>
    Object.values(row).every(isKept)
      ? row
      : Object.fromEntries(Object.entries(row).map(([name, value]) => [name, clean(value)])),
  );
  return { rows: cleaned, replaced };
}

function isKept(value: unknown): boolean {
  return typeof value !== 'string' || isStorable(value);
}

export async function countRowsOf(handle: Handle, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    handle,
  );
  return Number(rows[0]?.count ?? 0);
}

/** Throws if the table does not contain exactly the rows that were copied into it. */
export async function compareWithCopied(
  handle: Handle,
  { table, key, copied }: { table: string; key: readonly string[]; copied: Sum },
): Promise<void> {
  let found: Sum = { rows: 0, checksum: 0 };
  for await (const chunk of chunksOf(handle, table, key)) found = addToSum(found, chunk);
  if (found.rows !== copied.rows || found.checksum !== copied.checksum)
    throw new Error(`${table}: ${copied.rows} rows were copied, but what arrived is not the same`);
}

export function addToSum(sum: Sum, rows: Row[]): Sum {
  let { checksum } = sum;
  for (const row of rows) checksum = (checksum + hashOf(row)) % MODULUS;
  return { rows: sum.rows + rows.length, checksum };
}

function hashOf(row: Row): number {
  const text = JSON.stringify(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)));
  return Number.parseInt(hash('sha256', text).slice(0, HASH_DIGITS), 16);
}
