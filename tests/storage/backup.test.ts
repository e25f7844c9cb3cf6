// Tests backups: every row of one moment comes back on either engine, completely or not at all.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, afterEach, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { checkBackup } from '../../src/platform/backup/check-backup.ts';
import { backUpToFile } from '../../src/platform/backup/create-backup.ts';
import { makeLines } from '../../src/platform/backup/format.ts';
import { restoreBackup } from '../../src/platform/backup/restore-backup.ts';
import { unwrapSecret } from '../../src/platform/backup/wrapped-secret.ts';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import {
  findMigrations,
  openStorage,
  type StorageLocation,
} from '../../src/platform/database/open-storage.ts';
import { migratePostgres } from '../../src/platform/database/postgres/migrate.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { makeTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { copied, kept, tables } from '../support/tables.ts';
import { contentOf, fillTables } from './filled-tables.ts';

const VOUCHERS = 600; // more than two chunks
const PASSPHRASE = 'correct horse battery';
const SECRET = 'the secret of the installation, long enough';
const released = [...migrations];
const { folder, remove } = makeFolder();
let names = 0;
let source: StorageLocation;
let backup: string;
/** On PostgreSQL, restored from the backup. */
let server: Awaited<ReturnType<typeof newServer>>;
const made: TestDatabase[] = [];

const newName = () => join(folder, String(++names));
const newFolder = (): StorageLocation => ({ dataDir: newName(), secret: undefined });
const fileOf = ({ dataDir }: StorageLocation) => join(dataDir, 'gastpass.sqlite');

before(async () => {
  source = newFolder();
  mkdirSync(source.dataDir);
  writeFileSync(join(source.dataDir, 'secret'), `${SECRET}\n`);
  await openSqlite(fileOf(source)).close();
  fillTables(fileOf(source), VOUCHERS);
  await change(source, "delete from settings where name = 'secret_check'");
  const { database } = await openStorage(source);
  await database.close();
  backup = await backUp(source);
  server = await newServer();
  await restore(server, backup);
});
afterEach(() => migrations.splice(0, migrations.length, ...released));
after(async () => {
  for (const database of made) await database.drop();
  remove();
});

async function newServer(): Promise<StorageLocation & { test: TestDatabase }> {
  const database = await makeTestDatabase();
  made.push(database);
  const options = { url: database.url, poolSize: 4, statementTimeoutMs: 10_000 };
  return { dataDir: newName(), secret: SECRET, database: options, test: database };
}

async function change({ dataDir }: StorageLocation, statement: string): Promise<void> {
  const database = openSqlite(join(dataDir, 'gastpass.sqlite'));
  await database.write((transaction) => sql.raw(statement).execute(transaction));
  await database.close();
}

async function backUp(
  place: StorageLocation,
  order: { onProgress?: (table: string) => void; withoutSecret?: boolean } = {},
): Promise<string> {
  const { onProgress = () => {}, withoutSecret = false } = order;
  const file = newName();
  await backUpToFile(place, file, {
    declared: tables,
    passphrase: withoutSecret ? undefined : PASSPHRASE,
    release: '0.2.0',
    nowMs: systemClock.nowMs(),
    onProgress,
  });
  return file;
}

const restore = (place: StorageLocation, file: string, passphrase: string | undefined = PASSPHRASE) =>
  restoreBackup(place, { declared: tables, file, passphrase, onProgress: () => {} });

async function readAll(place: StorageLocation): Promise<Map<string, unknown[]>> {
  const { database } = await openStorage(place, systemClock, 'expect');
  const content = new Map<string, unknown[]>();
  for (const table of copied.keys()) content.set(table, await contentOf(database, table));
  await database.close();
  return content;
}

function assertNothingIn({ dataDir }: StorageLocation): void {
  assert.equal(existsSync(join(dataDir, 'gastpass.sqlite')), false);
  assert.equal(existsSync(join(dataDir, 'secret')), false);
}

const headerOf = (file: string) =>
  JSON.parse(gunzipSync(readFileSync(file)).toString('utf8').split('\n')[0] ?? '');

/** A copy of the backup whose lines were changed, but not its checksum. */
function changed(edit: (lines: string[]) => string[]): string {
  const lines = gunzipSync(readFileSync(backup)).toString('utf8').trimEnd().split('\n');
  const file = newName();
  writeFileSync(file, gzipSync(`${edit(lines).join('\n')}\n`));
  return file;
}

test('a backup of SQLite is restored on PostgreSQL and from there on SQLite, row by row', async () => {
  const before = await readAll(source);
  const back = newFolder();
  await restore(back, await backUp(server));

  for (const place of [server, back]) {
    const content = await readAll(place);
    for (const table of copied.keys())
      assert.deepEqual(content.get(table), kept.has(table) ? before.get(table) : [], table);
  }
  assert.equal(before.get('vouchers')?.length, VOUCHERS);
  // Vouchers of the stock may have been handed out since the backup.
  assert.ok(before.get('stock')?.length && !kept.has('stock'));
  assert.equal(readFileSync(join(back.dataDir, 'secret'), 'utf8').trim(), SECRET);
  for (const name of ['secret', 'gastpass.sqlite'])
    assert.equal(statSync(join(back.dataDir, name)).mode & 0o777, 0o600);

  // Ids of deleted rows are not assigned again.
  const insert = `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
    used_count, created_at_s) values (3, '2', 'x', 1, 1, 0, 0, 0, 0, 1)`;
  await change(back, insert);
  await server.test.rows(insert);
  const { database } = await openStorage(back);
  const newest = sql<{ id: number }>`select max(id) as id from vouchers`;
  assert.equal((await newest.execute(database.read)).rows[0]?.id, 9001);
  await database.close();
  assert.equal(Number((await server.test.rows('select max(id) as id from vouchers'))[0]?.id), 9001);
});

test('a role that does not own the tables can back up, and ids continue after the highest one', async () => {
  const role = `clerk_${server.test.name}`;
  const rights = 'select, insert, update, delete on all tables in schema public';
  await server.test.rows(`create role ${role} login`);
  await server.test.rows(`grant ${rights} to ${role}`);
  const url = new URL(server.test.url);
  url.username = role;
  const file = await backUp({
    ...server,
    database: { url: url.href, poolSize: 2, statementTimeoutMs: 5_000 },
  });
  const { ids } = (await checkBackup(file, undefined, tables)).header;
  assert.deepEqual([ids.vouchers, ids.users, ids.message_attempts], [9001, 7, 13]);
  await server.test.rows(`drop owned by ${role}`);
  await server.test.rows(`drop role ${role}`);
});

test('a backup contains the rows of one moment, whatever is written meanwhile', async () => {
  const busy = newFolder();
  await restore(busy, backup);
  const statement = "insert into audit (at_ms, actor, action, subject) values (1, 'x', 'site.added', 'late')";
  const { database } = await openStorage(busy);
  const writing: Promise<unknown>[] = [];
  const write = (how: () => Promise<unknown>) => (table: string) => {
    if (table === 'vouchers') writing.push(how());
  };
  const ofFile = await backUp(busy, {
    onProgress: write(() => database.write((transaction) => sql.raw(statement).execute(transaction))),
  });
  const ofServer = await backUp(server, { onProgress: write(() => server.test.rows(statement)) });
  await Promise.all(writing);
  await database.close();
  assert.ok(writing.length > 4);
  for (const file of [ofFile, ofServer])
    assert.equal((await checkBackup(file, undefined, tables)).header.tables.audit, 1);
});

test('a backup of an older release is migrated after it was restored', async () => {
  migrations.push({
    version: released.length + 1,
    adds: 'a test',
    statements: () => ['alter table sites add column extra text', "update sites set extra = name || '!'"],
  });
  const place = newFolder();
  await restore(place, backup);
  const { database } = await openStorage(place, systemClock, 'expect');
  const { rows } = await sql<{ extra: string }>`select extra from sites`.execute(database.read);
  await database.close();
  assert.deepEqual(
    rows.map(({ extra }) => extra),
    ['Haus "A"!'],
  );
});

test('the backup that release 0.2.0 made can be restored', async () => {
  const place = { ...newFolder(), secret: SECRET };
  const file = fileURLToPath(new URL('backup-of-0.2.0.gz', import.meta.url));
  await restoreBackup(place, { declared: tables, file, passphrase: undefined, onProgress: () => {} });
  const content = await readAll(place);
  const newSince =
    'user_grants message_recipients mail_server mail_texts mail_slots printers terms screens screen_results ' +
    'shown_codes site_reserves request_pages guest_requests';
  for (const table of kept)
    assert.equal(content.get(table)?.length === 0, newSince.split(' ').includes(table), table);
  assert.equal(content.get('vouchers')?.length, 3);
});

test('a backup of a newer release, an unknown table or another format is refused before anything is written', async () => {
  const place = newFolder();
  const withHeader = (facts: object) =>
    changed(([header = '', ...rest]) => [JSON.stringify({ ...JSON.parse(header), ...facts }), ...rest]);
  for (const [facts, why] of [
    [
      { schemaVersion: 99, release: '9.9.9' },
      /newer release 9\.9\.9 \(schema version 99, this release knows/,
    ],
    [{ formatVersion: 3 }, /has the format 3 of a newer release/],
    [{ format: 'other' }, /is not a backup of Gastpass/],
    [{ tables: { sqlite_sequence: 1 } }, /unknown table "sqlite_sequence"/],
  ] as const)
    await assert.rejects(restore(place, withHeader(facts)), why);
  assertNothingIn(place);
});

test('a damaged backup is refused before anything is written', async () => {
  const place = newFolder();
  const whole = readFileSync(backup);
  const written = (bytes: Buffer | string) => {
    const file = newName();
    writeFileSync(file, bytes);
    return file;
  };
  const flipped = Buffer.from(whole);
  flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 4, whole.length >> 1);
  for (const [file, why] of [
    [written(whole.subarray(0, whole.length - 100)), /damaged or incomplete/],
    [written(whole.subarray(0, 5)), /damaged or incomplete/],
    [written(''), /damaged or incomplete/],
    [written(flipped), /damaged or incomplete/],
    [
      changed((lines) => lines.map((line) => line.replace('it\'s 17"', 'it\'s 71"'))),
      /the checksum is wrong/,
    ],
    [changed((lines) => lines.slice(0, -1)), /the end is missing/],
    [changed((lines) => [...lines, '["more"]']), /lines after the end/],
    [written('plain text'), /is not a backup of Gastpass/],
    [written(gzipSync('plain text\n')), /is not a backup of Gastpass/],
    [folder, /is not a regular file/],
    [join(folder, 'missing'), /cannot be read \(ENOENT\)/],
  ] as const)
    await assert.rejects(restore(place, file), why);
  assertNothingIn(place);
});

test('a restore that fails half-way keeps the service from starting, until it is repeated', async () => {
  const wrapped = headerOf(backup).secret;
  const { lineKey } = await unwrapSecret(wrapped, PASSPHRASE, 2);
  const lines = makeLines(lineKey);
  const columns = ['user_id', 'site_id'];
  const bad = newName();
  const header = lines.header({
    release: '0.2.0',
    schemaVersion: released.length,
    engine: 'SQLite',
    madeAtMs: 0,
    secret: wrapped,
    tables: { user_sites: 1 },
    ids: {},
  });
  const text = [
    header,
    lines.table('user_sites', columns),
    lines.rows(columns, [{ user_id: 1, site_id: 1 }]),
    lines.end(),
  ];
  writeFileSync(bad, gzipSync(text.join('')));
  const place = newFolder();
  const empty = await newServer();
  for (const target of [place, empty])
    await assert.rejects(restore(target, relative('', bad)), /foreign key/i);
  assert.equal(existsSync(join(place.dataDir, 'secret')), false);
  const reason = new RegExp(`the restore of ${bad} did not finish: .* repeat gastpass restore ${bad};`);
  for (const target of [place, empty]) {
    for (const schema of ['migrate', 'expect'] as const)
      for (const secret of [SECRET, undefined])
        await assert.rejects(openStorage({ ...target, secret }, systemClock, schema), reason);
    await assert.rejects(findMigrations(target), reason);
    await restore(target, backup);
    assert.equal((await readAll(target)).get('vouchers')?.length, VOUCHERS);
  }
});

test('there is no backup of a database that Gastpass has not used yet', async () => {
  for (const empty of [newFolder(), await newServer()])
    await assert.rejects(backUp(empty), { name: 'NoInstallation' });
});

test('an installation that is in use is not overwritten', async () => {
  await assert.rejects(restore(source, backup), /there is an installation in .* already: stop the service/);
  await assert.rejects(restore(server, backup), /holds an installation already: create an empty database/);
});

test('the secret comes from the backup, from the data folder or from the settings, and must fit', async () => {
  await assert.rejects(restore(newFolder(), backup, 'wrong passphrase'), /passphrase is not the one/);
  const noPassphrase = { declared: tables, file: backup, passphrase: undefined, onProgress: () => {} };
  await assert.rejects(restoreBackup(newFolder(), noPassphrase), /--passphrase-file/);
  await assert.rejects(restore({ ...newFolder(), secret: 'x'.repeat(40) }, backup), /GASTPASS_SECRET is not/);

  const without = await backUp(source, { withoutSecret: true });
  assert.equal(gunzipSync(readFileSync(without)).includes(SECRET), false);
  await assert.rejects(
    restoreBackup(newFolder(), { ...noPassphrase, file: without }),
    /does not contain the installation's secret/,
  );
  await restoreBackup({ ...newFolder(), secret: SECRET }, { ...noPassphrase, file: without });
  const place = newFolder();
  mkdirSync(place.dataDir);
  writeFileSync(join(place.dataDir, 'secret'), 'another secret');
  await assert.rejects(restore(place, backup), /secret is not the secret of this backup: move it away/);
  writeFileSync(join(place.dataDir, 'secret'), SECRET);
  const { hasWrittenSecret } = await restoreBackup(place, { ...noPassphrase, file: without });
  assert.equal(hasWrittenSecret, false);
});

test('a restored copy does not know the files of scheduled backups, so it cannot delete them', async () => {
  const first = newFolder();
  await restore(first, backup);
  await change(first, `insert into settings (name, value) values ('scheduled_backups', '[]')`);
  const copy = newFolder();
  await restore(copy, await backUp(first));
  assert.doesNotMatch(JSON.stringify((await readAll(copy)).get('settings')), /scheduled_backups/);
});

test('a backup can be checked without restoring it, with its passphrase also the sealed values', async () => {
  const { header, rows, opened } = await checkBackup(backup, undefined, tables);
  assert.equal(opened, undefined);
  assert.equal(header.tables.vouchers, VOUCHERS);
  assert.ok(rows > VOUCHERS);
  const { opened: withSecret, broken } = await checkBackup(backup, PASSPHRASE, tables);
  assert.equal(withSecret, 1);
  assert.deepEqual(broken.map((text) => text.split(' ')[0]).sort(), [
    'batches',
    'mail_server',
    'messages',
    'printers',
    'request_pages',
    'screens',
    'second_factors',
    'single_sign_on',
    'site_slips',
    'webhooks',
  ]);
  await assert.rejects(checkBackup(backup, 'wrong passphrase', tables), /passphrase is not the one/);
});

test('a backup made on PostgreSQL does not stop the service while a migration waits for it', async () => {
  let migrating: Promise<unknown> | undefined;
  let reading: Promise<unknown> | undefined;
  const file = await backUp(server, {
    onProgress(table) {
      if (table !== 'vouchers' || migrating || !server.database) return;
      migrations.push({
        version: released.length + 1,
        adds: 'a test',
        statements: () => ['alter table vouchers add extra text'],
      });
      migrating = migratePostgres(server.database);
      reading = server.test.rows('select count(*) from vouchers');
    },
  });
  await reading;
  await migrating;
  assert.equal((await checkBackup(file, undefined, tables)).header.schemaVersion, released.length);
  // The backup of the release before is restored and migrated.
  const later = await newServer();
  await restore(later, file);
  const rows = await later.test.rows('select count(*) as count from vouchers where extra is null');
  assert.ok(Number(rows[0]?.count) >= VOUCHERS);
});

test('a NUL that an earlier release stored is visible after a restore on either engine, and is counted', async () => {
  const place = newFolder();
  await restore(place, backup);
  await change(place, 'update identities set subject = subject || char(0)');
  const file = await backUp(place);
  for (const target of [newFolder(), await newServer()]) {
    const { replaced } = await restore(target, file);
    assert.equal(replaced, 2);
    const identities = JSON.stringify((await readAll(target)).get('identities'));
    for (const subject of ['sub\ufffd', 'b\ufffd']) assert.ok(identities.includes(subject), identities);
  }
});
