// Reads a table page by page on either engine, and computes a checksum that does not depend on the order of the rows.

import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Handle } from '../database.ts';

const PAGE = 1_000;
/** 48 bits of each row's hash are added modulo 2^52, so that every sum is an exact integer below 2^53. */
const HASH_DIGITS = 12;
const MODULUS = 2 ** 52;

export type Row = Record<string, unknown>;

export interface Sum {
  rows: number;
  checksum: number;
}

export async function* pagesOf(handle: Handle, table: string, key: readonly string[]): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  for (let last: Row | undefined; ; ) {
    const values = key.map((name) => sql`${last?.[name]}`);
    const after = last === undefined ? sql`true` : sql`(${columns}) > (${sql.join(values)})`;
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)} where ${after} order by ${columns} limit ${sql.lit(PAGE)}
    `.execute(handle);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
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
