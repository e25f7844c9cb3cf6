// Tests moving an installation from SQLite to PostgreSQL: every table is copied unchanged, an interrupted move starts
// over, and a database in use is not overwritten.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { asKeyId } from '../../src/domain/ids.ts';
import type { Database } from '../../src/storage/database.ts';
import { insertKey } from '../../src/storage/keys/queries.ts';
import { copiedTables } from '../../src/storage/move/copied-tables.ts';
import { moveToPostgres } from '../../src/storage/move/move-to-postgres.ts';
import { openPostgres } from '../../src/storage/postgres/open-postgres.ts';
import { openSqlite } from '../../src/storage/sqlite/open-sqlite.ts';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { sampleKey } from './samples.ts';

const VOUCHERS = 2_500;
const quiet = () => {};

let source: Database;
let target: Database;
let made: TestDatabase;
let remove: () => void;
beforeEach(async () => {
  const { folder, remove: removeFolder } = makeFolder();
  remove = removeFolder;
  const file = join(folder, 'gastpass.sqlite');
  source = openSqlite(file);
  fill(file);
  made = await makeTestDatabase();
  target = await open({ forMove: true });
});
afterEach(async () => {
  await Promise.all([source.close(), target.close()]);
  await made.drop();
  remove();
});

const open = (special: { forMove?: boolean } = {}) =>
  openPostgres({ url: made.url, poolSize: 4, statementTimeoutMs: 10_000 }, special);

/** Fills every table, and one table with more rows than a page. */
function fill(path: string): void {
  const file = new DatabaseSync(path);
  file.exec(`
    insert into settings values ('set_up_at', '1'), ('secret_check', 'x');
    insert into users values (7, 'ä@example.org', 'Ä 😀', 'admin', 'hash', 1, 0);
    insert into sites (id, name, active, controller_kind, controller_site, created_at_ms, list_version)
      values (3, 'Haus "A"', 1, 'simulator', 'default', 1, 9007199254740991);
    insert into list_changes values (8, 3);
    insert into site_syncs values (3, 1, 2, 'away', 'failed', 2, 9, 1);
    insert into controller_sessions values ('https://x admin', 'sealed');
    insert into api_keys values ('keyAAAAA', 'Theke', 'write', 0, 'hash', 1, 2, null, '1,3', 4, 'Notiz', '192.0.2.1');
    insert into rate_windows values ('keyAAAAA', 1, 2, 0);
    insert into user_sites values (7, 3);
    insert into web_sessions values ('hash', 7, 1, 2, '192.0.2.1', 'Browser', 1, 0);
    insert into sign_in_failures values ('account ä@example.org', 3, 1);
    insert into half_sign_ins values ('hash', 7, 1);
    insert into sent_forms values ('hash', 1);
    insert into invitations values (7, 'hash', 'digest', 1, 1);
    insert into second_factors values (7, 'sealed', 9, 1);
    insert into recovery_codes values (7, 'hash');
    insert into site_slips values (3, 'Gäste 😀', 'wpa', 'sealed', 'Willkommen', 'de en', 'Eins', null);
    insert into images values ('site-3', 'image/png', 'AAAA');
    insert into profiles values (2, 'Tagung', 1, 2, 0, 0, 0);
    insert into profile_sites values (2, 3);
    insert into batches values ('b-1', 7, 3, 'x', 1, 2, 0, 0, 0, 5, null, null, 1, 'away');
    insert into bulk_revocations values ('r-1', 7, '192.0.2.1', '3', 'b-1', 1, 1, null);
    insert into bulk_revocation_vouchers values ('r-1', 1, 3, 'failed', 'no answer', 'away');
    insert into intents values (41, 3, 'x', 1, 2, 0, 0, 0, 'API: Theke', 5, 7, 'b-1', 'key', 'request');
    insert into idempotent_answers values ('keyAAAAA', 'a', 'h', 41, null, 1), ('keyAAAAA', 'b', 'h', null, '{}', 1);
    insert into outbox values (1, 'event', 1, 'Haus "A"', 'API: Theke', 1);
    insert into webhooks values (5, 'sealed', 'chat', 'slack', null, 0, 'gone', 3, 9007199254740991, 1, 'Kasse ä', 'site.recovered');
    insert into deliveries values (8, 5, 'event', 'voucher.created', 1, 'Haus "A"', 'API: Theke', 1, 'given-up', 1, 2, '{}', 'waiting');
    insert into delivery_tries values (13, 8, 1, 2, null, 'no answer', 'ä 😀');
    insert into audit values (1, 1, 'CLI: ada', 'site.added', 'Haus "A"', '192.0.2.1', null);
    insert into single_sign_on values (1, 'https://x', 'id', 'sealed', 'openid', 'X', '[]', 1, 0);
    insert into identities values (4, 'https://x', 'sub', 7, 'ä@example.org', 'Ä', 1), (6, 'https://x', 'b', null, '', '', 2);
    insert into external_sessions values ('hash', 'sealed');
    insert into voucher_parts values ('abc', 0, 'AAA=');
    insert into leases values ('set-up', 'somebody', 1);
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${VOUCHERS})
      insert into vouchers (id, site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
        controller_voucher_id, used_count, created_at_s, first_used_at_s)
      select i, 3, printf('%010d', i), 'it''s ' || i, 1, 480, 0, 0, 0, 'id-' || i, i % 2, i, nullif(i % 2, 0) from n;
    insert into vouchers (id, site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
      used_count, created_at_s) values (9000, 3, '1', 'gone', 1, 1, 0, 0, 0, 0, 1);
    delete from vouchers where id = 9000;`);
  file.close();
}

async function tablesOf(database: Database): Promise<string[]> {
  const tables = await database.read.introspection.getTables();
  return tables
    .map(({ name }) => name)
    .filter((name) => !['schema_version', 'move_under_way'].includes(name));
}

async function contentOf(database: Database, table: string): Promise<unknown[]> {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.table(table)}`.execute(
    database.read,
  );
  const texts = rows.map((row) => JSON.stringify(Object.entries(row).sort()));
  return texts.sort();
}

test('every table of both engines is moved, and this test fills every table', async () => {
  const named = Object.keys(copiedTables).sort();
  assert.deepEqual((await tablesOf(source)).sort(), named);
  assert.deepEqual((await tablesOf(target)).sort(), named);
  for (const table of named) assert.notEqual((await contentOf(source, table)).length, 0, table);
});

test('all rows are copied unchanged, with counts and progress reports', async () => {
  const told = new Map<string, number>();
  const moved = await moveToPostgres(source, target, (table, done) => told.set(table, done));
  for (const { table, rows } of moved) {
    const content = await contentOf(source, table);
    assert.deepEqual(await contentOf(target, table), content, table);
    assert.equal(rows, content.length);
    assert.equal(told.get(table), content.length);
  }
  assert.equal(moved.length, Object.keys(copiedTables).length);
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
  const [attempt] = await insert('delivery_tries', 'delivery_id, at_ms, duration_ms', '8, 1, 1');
  assert.equal(Number(attempt?.id), 14);
});

test('an interrupted move leaves a database that cannot be opened, and the move can be repeated', async () => {
  let pages = 0;
  const interrupt = () => {
    if (++pages > 14) throw new Error('pulled the plug');
  };
  await assert.rejects(moveToPostgres(source, target, interrupt), /pulled the plug/);
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
