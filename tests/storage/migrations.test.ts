// Tests the migrations of the SQLite file: of a new file, repeated, failing, and of a file written by a newer release.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { makeDeliveryStore } from '../../src/features/webhooks/webhook-store.ts';
import { selectListVersion, selectSites } from '../../src/kernel/sites/site-queries.ts';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import { NewerSchema } from '../../src/platform/database/schema-version.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { addSite, addWebhook, sampleSite, seal } from './samples.ts';

const all = [...migrations];
const released = all.length;
let file: string;
let remove: () => void;
beforeEach(() => {
  const made = makeFolder();
  remove = made.remove;
  file = join(made.folder, 'gastpass.sqlite');
});
afterEach(() => {
  migrations.splice(0, migrations.length, ...all);
  remove();
});

/** Adds a migration after all released migrations. */
function addMigration(...statements: string[]): void {
  migrations.push({ version: migrations.length + 1, adds: 'a test', statements: () => statements });
}

/** The version and the schema of the file, read through a separate connection. */
function look(): { version: number; schema: string[] } {
  const stranger = new DatabaseSync(file, { readOnly: true });
  const version = Number(stranger.prepare('pragma user_version').get()?.user_version);
  const objects = stranger.prepare('select sql from sqlite_schema where sql is not null order by name').all();
  stranger.close();
  return { version, schema: objects.map(({ sql }) => String(sql)) };
}

test('migrations are numbered from 1 without gaps', () => {
  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
  );
});

test('a new file gets every table, and every table is strict', async () => {
  await openSqlite(file).close();
  const { version, schema } = look();
  assert.equal(version, released);
  const tables = schema.filter((sql) => /^create table/i.test(sql) && !sql.includes('sqlite_sequence'));
  assert.ok(tables.length >= 16);
  for (const sql of tables) assert.match(sql, /strict$/i);
});

test('opening the file again changes nothing and keeps the data', async () => {
  const first = openSqlite(file);
  await addSite(first, { name: 'Haus A' });
  await first.close();
  const before = look();

  const second = openSqlite(file);
  assert.equal((await selectSites(second.read, seal))[0]?.name, 'Haus A');
  await second.close();
  assert.deepEqual(look(), before);
});

test('a new release migrates an older file and keeps the data', async () => {
  const old = openSqlite(file);
  await addSite(old, { name: 'Haus A' });
  await old.close();

  addMigration('create table extras (name text not null) strict', "insert into extras values ('made')");
  addMigration('alter table extras add column note text');
  const updated = openSqlite(file);
  assert.equal((await selectSites(updated.read, seal))[0]?.name, 'Haus A');
  await updated.close();
  const { version, schema } = look();
  assert.equal(version, released + 2);
  assert.ok(schema.some((sql) => sql.includes('extras') && sql.includes('note')));
});

test('a site of the first release keeps its fields and has no access settings', async () => {
  const later = migrations.splice(1);
  const first = openSqlite(file);
  const name = 'Haus Ä 😀';
  await first.write((transaction) =>
    sql`insert into sites (name, active, controller_kind, controller_site, list_version, created_at_ms)
      values (${name}, 0, 'simulator', 'garten', 7, 1)`.execute(transaction),
  );
  await first.close();
  assert.equal(look().version, 1);

  migrations.push(...later);
  const updated = openSqlite(file);
  const [site] = await selectSites(updated.read, seal);
  assert.ok(site);
  assert.deepEqual(site, {
    id: site.id,
    ...sampleSite({ name, active: false, controllerSite: 'garten', connection: null }),
  });
  assert.equal(await selectListVersion(updated.read, site.id), 7);
  await updated.close();
  assert.equal(look().version, released);
});

test('notifications that an earlier release never sent are not delivered to the first webhook', async () => {
  const later = migrations.splice(4);
  const earlier = openSqlite(file);
  await earlier.write((transaction) =>
    sql`insert into outbox (event_id, voucher_count, site_name, source, created_at_ms)
      values ('event-1', 1, 'Haus A', 'API: Theke', 0)`.execute(transaction),
  );
  await earlier.close();
  assert.equal(look().version, 4);

  migrations.push(...later);
  const updated = openSqlite(file);
  await addWebhook(updated);
  assert.equal(await makeDeliveryStore(updated, seal).fanOut(10), 0);
  await updated.close();
});

test('an attempt needs its message, and a webhook a valid format', async () => {
  const database = openSqlite(file);
  const refused = async (statement: RawBuilder<unknown>, why: RegExp) =>
    assert.rejects(
      database.write((transaction) => statement.execute(transaction)),
      why,
    );
  await refused(
    sql`insert into message_attempts (message_id, at_ms, duration_ms) values (99, 1, 1)`,
    /foreign key/i,
  );
  await refused(
    sql`insert into webhooks (sealed_url, format, active, created_at_ms) values ('x', 'xml', 1, 1)`,
    /check/i,
  );
  await database.close();
});

test('a migrated file has the same tables as a new file', async () => {
  const later = migrations.splice(1);
  await openSqlite(file).close();
  migrations.push(...later);
  await openSqlite(file).close();
  const updated = look();
  remove();
  const made = makeFolder();
  remove = made.remove;
  file = join(made.folder, 'gastpass.sqlite');
  await openSqlite(file).close();
  assert.deepEqual(look(), updated);
});

test('a migration that fails leaves no changes, and neither do the migrations before it', async () => {
  await openSqlite(file).close();
  const before = look();
  addMigration('create table extras (name text not null) strict');
  addMigration('create table more (name text not null) strict', 'this is not SQL');
  assert.throws(() => openSqlite(file), /syntax error/);
  assert.deepEqual(look(), before);

  migrations.length = released;
  await openSqlite(file).close();
});

test('a failed first migration leaves an empty file that the next start can use', async () => {
  addMigration('this is not SQL');
  assert.throws(() => openSqlite(file), /syntax error/);
  assert.deepEqual(look(), { version: 0, schema: [] });
  migrations.length = released;
  await openSqlite(file).close();
  assert.equal(look().version, released);
});

test('a file written by a newer release is refused and stays unchanged', async () => {
  addMigration('create table extras (name text not null) strict');
  await openSqlite(file).close();
  const before = look();
  migrations.length = released;
  assert.throws(
    () => openSqlite(file),
    (error) =>
      error instanceof NewerSchema && /start the newer release, or restore a backup/.test(error.message),
  );
  assert.deepEqual(look(), before);
});

test('processes that open a new file at the same time all get the same tables', async () => {
  const module = new URL('../../src/platform/database/sqlite/open-sqlite.ts', import.meta.url).href;
  const script = `const { openSqlite } = await import(${JSON.stringify(module)});
    await openSqlite(${JSON.stringify(file)}).close();`;
  const codes = await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise((resolve) => {
          spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }).once(
            'close',
            resolve,
          );
        }),
    ),
  );
  assert.deepEqual(codes, [0, 0, 0]);
  assert.equal(look().version, released);
});
