// Reads the highest id that each table has ever assigned. A copied table continues after this id, so that ids of
// deleted rows are not assigned again.

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

/** A role that does not own the tables may not read their sequences. The highest id in the table is used then. */
export async function readPostgresIds(handle: Handle): Promise<IdCounters> {
  const { rows } = await sql<{ name: string; last: number | null }>`
    select name, case when has_sequence_privilege(sequence, 'usage, select') then pg_sequence_last_value(sequence) end as last
    from (
      select c.relname::text as name, pg_get_serial_sequence(c.oid::regclass::text, 'id')::regclass as sequence
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attname = 'id' and a.attidentity <> ''
    ) as tables
  `.execute(handle);
  const entries: [string, number][] = [];
  for (const { name, last } of rows) entries.push([name, last ?? (await highestId(handle, name))]);
  return toCounters(entries);
}

/** The highest id in the table; 0 if it is empty. */
export async function highestId(handle: Handle, table: string): Promise<number> {
  const { rows } = await sql<{ id: number | null }>`select max(id) as id from ${sql.table(table)}`.execute(
    handle,
  );
  return rows[0]?.id ?? 0;
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
