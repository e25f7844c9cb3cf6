// Tests moving an installation from SQLite to PostgreSQL: every table is copied unchanged, an interrupted move starts
// over, and a database in use is not overwritten.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { asKeyId } from '../../src/kernel/ids.ts';
import { insertKey } from '../../src/kernel/keys/key-queries.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { moveToPostgres } from '../../src/platform/database/move/move-to-postgres.ts';
import { openPostgres } from '../../src/platform/database/postgres/open-postgres.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { copied, tables } from '../support/tables.ts';
import { contentOf, fillTables } from './filled-tables.ts';
import { sampleKey } from './samples.ts';

/** More than a page. */
const VOUCHERS = 2_500;
const quiet = { tables, onProgress: () => {} };

let source: Database;
let target: Database;
let made: TestDatabase;
let remove: () => void;
beforeEach(async () => {
  const { folder, remove: removeFolder } = makeFolder();
  remove = removeFolder;
  const file = join(folder, 'gastpass.sqlite');
  source = openSqlite(file);
  fillTables(file, VOUCHERS);
  made = await makeTestDatabase();
  target = await open({ forMoveToPostgres: true });
});
afterEach(async () => {
  await Promise.all([source.close(), target.close()]);
  await made.drop();
  remove();
});

const open = (special: { forMoveToPostgres?: boolean } = {}) =>
  openPostgres({ url: made.url, poolSize: 4, statementTimeoutMs: 10_000 }, special);

async function tablesOf(database: Database): Promise<string[]> {
  const tables = await database.read.introspection.getTables();
  return tables
    .filter(({ isView }) => !isView)
    .map(({ name }) => name)
    .filter((name) => !['schema_version', 'move_under_way', 'instances'].includes(name));
}

test('every table of both engines is moved, and this test fills every table', async () => {
  const named = [...copied.keys()].sort();
  assert.deepEqual((await tablesOf(source)).sort(), named);
  assert.deepEqual((await tablesOf(target)).sort(), named);
  for (const table of named) assert.notEqual((await contentOf(source, table)).length, 0, table);
});

test('all rows are copied unchanged, with counts and progress reports', async () => {
  const told = new Map<string, number>();
  const moved = await moveToPostgres(source, target, {
    tables,
    onProgress: (table, done) => told.set(table, done),
  });
  for (const { table, rows } of moved) {
    const content = await contentOf(source, table);
    assert.deepEqual(await contentOf(target, table), content, table);
    assert.equal(rows, content.length);
    assert.equal(told.get(table), content.length);
  }
  assert.equal(moved.length, copied.size);
});

test('new ids follow the highest id ever assigned, even if its row is deleted', async () => {
  await moveToPostgres(source, target, quiet);
  const insert = (table: string, columns: string, values: string) =>
    made.rows(`insert into ${table} (${columns}) values (${values}) returning id`);
  const [voucher] = await insert(
    'vouchers',
    'site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, used_count, created_at_s',
    "3, '2', 'x', 1, 1, 0, 0, 0, 0, 1",
  );
  assert.equal(Number(voucher?.id), 9001);
  const [user] = await insert(
    'users',
    'email, name, role, password_hash, created_at_ms',
    "'b@c', 'B', 'admin', '-', 1",
  );
  assert.equal(Number(user?.id), 8);
  const [attempt] = await insert('message_attempts', 'message_id, at_ms, duration_ms', '8, 1, 1');
  assert.equal(Number(attempt?.id), 14);
});

test('an interrupted move leaves a database that cannot be opened, and the move can be repeated', async () => {
  let pages = 0;
  const interrupt = () => {
    if (++pages > 14) throw new Error('pulled the plug');
  };
  await assert.rejects(moveToPostgres(source, target, { tables, onProgress: interrupt }), /pulled the plug/);
  await assert.rejects(open(), /a move into this database was interrupted: repeat gastpass move/);

  await moveToPostgres(source, target, quiet);
  assert.deepEqual(await contentOf(target, 'vouchers'), await contentOf(source, 'vouchers'));
  await (await open()).close();
});

test('a database that holds an installation is refused and stays unchanged', async () => {
  await target.write((transaction) => insertKey(transaction, sampleKey(asKeyId('keyBBBBB'))));
  await assert.rejects(moveToPostgres(source, target, quiet), /holds an installation already/);
  assert.equal((await contentOf(target, 'api_keys')).length, 1);
  assert.equal((await contentOf(target, 'vouchers')).length, 0);
});

test('a row that differs after copying is detected, and the move stays unfinished', async () => {
  await made.rows(`create function spoil() returns trigger language plpgsql as $$
    begin if new.id = 1234 then new.code := 'other'; end if; return new; end $$`);
  await made.rows('create trigger spoil before insert on vouchers for each row execute function spoil()');
  await assert.rejects(
    moveToPostgres(source, target, quiet),
    /vouchers: 2500 rows were copied, but what arrived/,
  );
  await assert.rejects(open(), /interrupted/);
});

test('a NUL that an earlier release stored becomes visible, and is counted', async () => {
  await source.write((transaction) =>
    sql`update identities set subject = subject || char(0)`.execute(transaction),
  );
  const moved = await moveToPostgres(source, target, quiet);
  const found = await target.read.selectFrom('identities').select('subject').orderBy('id').execute();
  assert.deepEqual(
    found.map(({ subject }) => subject),
    ['sub\ufffd', 'b\ufffd'],
  );
  assert.equal(moved.find(({ table }) => table === 'identities')?.replaced, 2);
  assert.equal(moved.find(({ table }) => table === 'users')?.replaced, 0);
});
