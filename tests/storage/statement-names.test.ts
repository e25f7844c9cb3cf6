// Tests that reused queries are prepared statements on PostgreSQL, and that they run without a name once a name was
// refused, which happens behind a pooler and after a migration.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../src/platform/database/compiled-query.ts';
import type { Database, Handle } from '../../src/platform/database/database.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { DatabaseUnavailable } from '../../src/platform/values/database-unavailable.ts';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';

type Note = { text: string };
const note = compileOnce(
  (_: Handle, { text }: Placeholders<Note>) => sql<Note>`insert into notes values (${text}) returning *`,
);

let made: TestDatabase;
let database: Database;
before(async () => {
  made = await makeTestDatabase({ mayHaveTables: true });
});
beforeEach(async () => {
  await made.rows('drop table if exists notes');
  await made.rows('create table notes (text text)');
  database = await openWithOneConnection();
});
afterEach(() => database.close());
after(() => made.drop());

/** All statements of a test run on the same connection. */
const openWithOneConnection = (statementTimeoutMs = 5_000) =>
  openPostgres({ url: made.url, poolSize: 1, statementTimeoutMs });

const run = async (handle: Handle, statement: string) =>
  (await sql.raw<Record<string, unknown>>(statement).execute(handle)).rows;
const preparedNames = async () =>
  (await run(database.read, 'select name from pg_prepared_statements')).map(({ name }) => String(name));
const notes = async () => (await made.rows('select text from notes order by text')).map(({ text }) => text);

async function expectNoMoreNames(): Promise<void> {
  await run(database.read, 'deallocate all');
  await note(database.read, { text: 'z' });
  assert.deepEqual(await preparedNames(), []);
}

test('a reused query is prepared once, another query never', async () => {
  for (const text of ['a', 'b', 'c']) {
    const { rows, numAffectedRows } = await note(database.read, { text });
    assert.deepEqual([rows, numAffectedRows], [[{ text }], 1n]);
    await database.read.selectFrom('sites').select('id').where('name', '=', text).execute();
  }
  const [name, ...others] = await preparedNames();
  assert.match(name ?? '', /^gastpass_[0-9a-f]{32}$/);
  assert.deepEqual(others, []);
  assert.deepEqual(await notes(), ['a', 'b', 'c']);
});

test('the number of names is limited', async () => {
  for (let i = 0; i < 120; i++)
    await compileOnce(
      (_: Handle, { n }: Placeholders<{ n: number }>) => sql`select ${n}::int + ${sql.lit(i)}`,
    )(database.read, { n: 1 });
  assert.equal((await preparedNames()).length, 100);
});

test('a plan is replaced after many statements, because the table may have grown', async () => {
  await made.rows('alter table notes add primary key (text), set (autovacuum_enabled = false)');
  await made.rows("insert into notes values ('a')");
  await made.rows('analyze notes');
  const find = compileOnce(
    (_: Handle, { text }: Placeholders<Note>) => sql<Note>`select text from notes where text = ${text}`,
  );
  const findOften = async (times: number) => {
    for (let i = 0; i < times; i++) await find(database.read, { text: 'a' });
  };
  const plan = async () => {
    const [name] = await preparedNames();
    const [step] = await run(database.read, `explain execute ${name}('a')`);
    return String(step?.['QUERY PLAN']);
  };
  // The server makes a plan for all values after five plans for one value each.
  await findOften(10);
  assert.match(await plan(), /^Seq Scan/);
  await made.rows('insert into notes select generate_series(1, 3000)::text');
  // Whether the plan is kept until then depends on what else the server has to do.
  await findOften(1_000);
  assert.match(await plan(), /^Index Only Scan|^Bitmap/);
});

test('a name that the server does not know is not used again', async () => {
  await note(database.read, { text: 'a' });
  await run(database.read, 'discard all');
  assert.deepEqual((await note(database.read, { text: 'b' })).rows, [{ text: 'b' }]);
  assert.deepEqual(await notes(), ['a', 'b']);
  await expectNoMoreNames();
});

test('a name that is taken is not used', async () => {
  await note(database.read, { text: 'a' });
  const [name] = await preparedNames();
  await database.close();
  database = await openWithOneConnection();
  await run(database.read, `prepare ${name} as select 1`);
  await note(database.read, { text: 'b' });
  assert.deepEqual(await notes(), ['a', 'b']);
  await expectNoMoreNames();
});

test('a statement whose columns a migration has changed is repeated', async () => {
  await note(database.read, { text: 'a' });
  await made.rows('alter table notes add column more bigint');
  assert.deepEqual((await note(database.read, { text: 'b' })).rows, [{ text: 'b', more: null }]);
  assert.deepEqual(await notes(), ['a', 'b']);
  await expectNoMoreNames();
});

test('a query in a transaction has no name, so that a refused name aborts no transaction', async () => {
  await note(database.read, { text: 'a' });
  await run(database.read, 'deallocate all');
  let runs = 0;
  await database.write(async (transaction) => {
    runs++;
    await note(transaction, { text: 'b' });
  });
  assert.equal(runs, 1);
  assert.deepEqual(await preparedNames(), []);
  assert.deepEqual(await notes(), ['a', 'b']);
});

test('other errors do not end the use of names', async () => {
  await note(database.read, { text: 'a' });
  await made.rows("alter table notes add check (text <> 'bad')");
  await assert.rejects(note(database.read, { text: 'bad' }), /violates check constraint/);
  await note(database.read, { text: 'b' });
  assert.equal((await preparedNames()).length, 1);
  assert.deepEqual(await notes(), ['a', 'b']);
});

test('a reused query that was cancelled can run again', async () => {
  const sleep = compileOnce(
    (_: Handle, { seconds }: Placeholders<{ seconds: number }>) => sql`select pg_sleep(${seconds})`,
  );
  await database.close();
  database = await openWithOneConnection(1_000);
  await assert.rejects(sleep(database.read, { seconds: 600 }), DatabaseUnavailable);
  await sleep(database.read, { seconds: 0 });
  await assert.rejects(sleep(database.read, { seconds: 600 }), DatabaseUnavailable);
  await assert.rejects(
    database.write((transaction) => sleep(transaction, { seconds: 600 })),
    DatabaseUnavailable,
  );
  await sleep(database.read, { seconds: 0 });
  assert.equal((await preparedNames()).length, 1);
});
