// Reads the highest id that each table has ever assigned, and lets a copied table continue after it: ids of deleted rows
// are not assigned again.

import { sql } from 'kysely';
import type { Handle } from '../database.ts';

/** The highest id by table. Tables that have not assigned an id yet are missing. */
export type IdCounters = Record<string, number>;

export async function readSqliteIds(handle: Handle): Promise<IdCounters> {
  const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
    handle,
  );
  return toCounters(rows.map(({ name, seq }) => [name, seq]));
}

export async function readPostgresIds(handle: Handle): Promise<IdCounters> {
  const { rows } = await sql<{ name: string; last: number | null }>`
    select c.relname::text as name, pg_sequence_last_value(pg_get_serial_sequence(c.oid::regclass::text, 'id')::regclass) as last
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attname = 'id' and a.attidentity <> ''
  `.execute(handle);
  return toCounters(rows.map(({ name, last }) => [name, last ?? 0]));
}

function toCounters(entries: [string, number][]): IdCounters {
  return Object.fromEntries(entries.filter(([, last]) => last > 0).sort());
}

export const continueIds = {
  async sqlite(handle: Handle, counters: IdCounters): Promise<void> {
    for (const [table, last] of Object.entries(counters)) {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(handle);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last})`.execute(handle);
    }
  },
  async postgres(handle: Handle, counters: IdCounters): Promise<void> {
    for (const [table, last] of Object.entries(counters))
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last}::bigint)`.execute(handle);
  },
};
