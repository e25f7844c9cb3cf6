// Database faults that both engines can have: failing inserts, a missing table, a write lock held by another
// connection. Each function waits until it gets the lock it needs. Also reads whole tables.

import { setTimeout as sleep } from 'node:timers/promises';
import { engine, type Records } from './engine.ts';

const PATIENCE_MS = 20_000;
const RETRY_MS = 20;
const LOCKED = /lock timeout|database is locked/;

type Disturbed = Pick<Records, 'rows' | 'change'>;

/** While `run` is running, every insert into the table fails with this text. */
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

/** From now on every write to these tables fails, even a write that would change nothing. */
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

/** Renames the table while `run` is running, so that the service does not find it. */
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

/** From now on other connections can read but not write, until the lock is released. */
export async function holdWriteLock(records: Disturbed): Promise<{ release: () => void }> {
  if (engine === 'sqlite') await changeWhenFree(records, 'begin immediate');
  else {
    const tables = tablesOf(records).join(', ');
    await changeWhenFree(records, `rollback; begin; lock table ${tables} in exclusive mode`);
  }
  return { release: () => records.change('rollback') };
}

/** Sets the schema version as a newer release would. */
export function claimSchemaVersion(records: Disturbed, version: number): void {
  if (engine === 'sqlite') records.change(`pragma user_version = ${version}`);
  else records.change('insert into schema_version values (?)', version);
}

/** Returns a value that differs after every commit. Compare only values read through the same connection. */
export function readCommitMark(records: Disturbed): unknown {
  if (engine === 'sqlite') return records.rows('pragma data_version')[0]?.data_version;
  // Every version of a row names the transaction that wrote it.
  return tablesOf(records).map((table) =>
    JSON.stringify(records.rows(`select count(*), sum(xmin::text::bigint) from ${table}`)),
  );
}

/** The content of all tables as text to search in. */
export function dumpRecords(records: Disturbed): string {
  return JSON.stringify(tablesOf(records).map((table) => records.rows(`select * from ${table}`)));
}

/** Every row of these tables and the last id of every sequence, each as a line of text. */
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

/**
 * The service runs in this thread. It can finish its transaction only while this function does not block the thread.
 */
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
