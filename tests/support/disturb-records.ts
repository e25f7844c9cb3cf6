// Trouble with the database that both engines can have: inserts that fail, a table that is gone, a write
// lock that somebody else holds. Each waits until the service lets it in.

import { setTimeout as sleep } from 'node:timers/promises';
import { engine, type Records } from './engine.ts';

const PATIENCE_MS = 20_000;
const RETRY_MS = 20;
const LOCKED = /lock timeout|database is locked/;

type Disturbed = Pick<Records, 'rows' | 'change'>;

/** As long as something runs, what is put into the table fails with this text. */
export async function refusingInserts<Value>(
  records: Disturbed,
  { table, text }: { table: string; text: string },
  run: () => Promise<Value>,
): Promise<Value> {
  await refuse(records, { name: 'refuse', act: 'insert', table, text });
  try {
    return await run();
  } finally {
    await changeWhenFree(records, `drop trigger refuse${engine === 'sqlite' ? '' : ` on ${table}`}`);
  }
}

/** From now on every write to these tables fails, also one that would change nothing. */
export async function forbidWrites(records: Disturbed, tables: string[]): Promise<void> {
  for (const table of tables)
    for (const act of ['insert', 'update', 'delete'])
      await refuse(records, { name: `${act}_${table}`, act, table, text: `written: ${table}` });
}

interface Refusal {
  name: string;
  act: string;
  table: string;
  text: string;
}

async function refuse(records: Disturbed, { name, act, table, text }: Refusal): Promise<void> {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  if (engine === 'sqlite') {
    const raise = `begin select raise(abort, ${quoted}); end`;
    return changeWhenFree(records, `create trigger ${name} before ${act} on ${table} ${raise}`);
  }
  const raise = `begin raise exception using message = ${quoted}; end`;
  await changeWhenFree(
    records,
    `create or replace function ${name}() returns trigger language plpgsql as $refuse$ ${raise} $refuse$;
     create trigger ${name} before ${act} on ${table} for each row execute function ${name}()`,
  );
}

/** Takes a table away for as long as something runs. */
export async function withoutTable(
  records: Disturbed,
  table: string,
  run: () => Promise<void>,
): Promise<void> {
  await changeWhenFree(records, `alter table ${table} rename to taken_away`);
  try {
    await run();
  } finally {
    await changeWhenFree(records, `alter table taken_away rename to ${table}`);
  }
}

/** From now on others can read, and cannot write until the lock is given back. */
export async function holdWriteLock(records: Disturbed): Promise<{ release: () => void }> {
  if (engine === 'sqlite') await changeWhenFree(records, 'begin immediate');
  else {
    const tables = tablesOf(records).join(', ');
    await changeWhenFree(records, `rollback; begin; lock table ${tables} in exclusive mode`);
  }
  return { release: () => records.change('rollback') };
}

/** As a newer release leaves it behind. */
export function claimSchemaVersion(records: Disturbed, version: number): void {
  if (engine === 'sqlite') records.change(`pragma user_version = ${version}`);
  else records.change('insert into schema_version values (?)', version);
}

/** Changes whenever anybody commits a change, whatever it is. Ask it through the same records each time. */
export function readCommitMark(records: Disturbed): unknown {
  if (engine === 'sqlite') return records.rows('pragma data_version')[0]?.data_version;
  // Every version of a row names the transaction it is of.
  return tablesOf(records).map((table) =>
    JSON.stringify(records.rows(`select count(*), sum(xmin::text::bigint) from ${table}`)),
  );
}

/** All that is on record, as text to search in. */
export function dumpRecords(records: Disturbed): string {
  return JSON.stringify(tablesOf(records).map((table) => records.rows(`select * from ${table}`)));
}

/** Every row of these tables, and which numbers were given out as ids, each as a line of text. */
export function listRows({ rows }: Disturbed, tables: string[]): string[] {
  const numbers =
    engine === 'sqlite'
      ? 'select name, seq from sqlite_sequence'
      : "select sequencename, last_value from pg_sequences where schemaname = 'public'";
  const toLines = (name: string, sql: string) => rows(sql).map((row) => `${name} ${JSON.stringify(row)}`);
  return [
    ...tables.flatMap((table) => toLines(table, `select * from ${table}`)),
    ...toLines('numbers', numbers),
  ];
}

export function tablesOf({ rows }: Disturbed): string[] {
  const sql =
    engine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'"
      : "select tablename as name from pg_tables where schemaname = 'public'";
  return rows(sql).map(({ name }) => String(name));
}

/** The service shares this thread: only while nobody waits can it end what it has begun. */
async function changeWhenFree(records: Disturbed, sql: string): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      records.change(sql);
      return;
    } catch (error) {
      if (!LOCKED.test(String(error)) || performance.now() > giveUpAt) throw error;
      await sleep(RETRY_MS);
    }
  }
}
