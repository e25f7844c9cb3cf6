// Tests which commits invalidate the caches of a process on SQLite. SQLite tells what a statement writes. The code
// names only the tables and columns that no cached read depends on, and this test checks these names.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, DatabaseSync, StatementSync } from 'node:sqlite';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { makeMailServerStore } from '../../src/features/mail/mail-server-store.ts';
import { asKeyId, type SiteId } from '../../src/kernel/ids.ts';
import { makeKeyStore } from '../../src/kernel/keys/key-store.ts';
import { makeSettingsStore } from '../../src/kernel/settings/settings-store.ts';
import { raiseListVersion } from '../../src/kernel/sites/site-queries.ts';
import { makeSiteStore } from '../../src/kernel/sites/site-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { SiteListChange } from '../../src/kernel/vouchers/voucher-records.ts';
import type { Database, Handle } from '../../src/platform/database/database.ts';
import { openSqlite } from '../../src/platform/database/sqlite/open-sqlite.ts';
import { UNCACHED_COLUMNS, UNCACHED_TABLES } from '../../src/platform/database/sqlite/written-data.ts';
import { makeLeaseStore } from '../../src/platform/leases/lease-store.ts';
import { actorOf } from '../support/actors.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { addKey, addSite, NOW_MS, sampleIntent, sampleUpstream, seal } from './samples.ts';

const audit = { actor: actorOf('CLI: ada'), atMs: NOW_MS };
const keyId = asKeyId('keyAAAAA');
const reallyPrepare = DatabaseSync.prototype.prepare;

let database: Database;
let stranger: DatabaseSync;
let siteId: SiteId;
let changes: SiteListChange[];
let prepared: string[];
let remove: () => void;
beforeEach(async () => {
  const made = makeFolder();
  remove = made.remove;
  const file = join(made.folder, 'gastpass.sqlite');
  prepared = [];
  DatabaseSync.prototype.prepare = function prepare(text) {
    prepared.push(text);
    return reallyPrepare.call(this, text);
  };
  database = openSqlite(file);
  stranger = new DatabaseSync(file);
  siteId = await addSite(database);
  await addKey(database, keyId);
  changes = [];
  database.onListChange((change) => changes.push(change));
});
afterEach(async () => {
  DatabaseSync.prototype.prepare = reallyPrepare;
  stranger.close();
  await database.close();
  remove();
});

const CACHED_READS: Record<string, () => Promise<unknown>> = {
  'src/kernel/keys/key-store.ts': () => makeKeyStore(database).find(keyId),
  'src/kernel/sites/site-store.ts': () => makeSiteStore(database, seal, []).find(siteId),
  'src/features/mail/mail-server-store.ts': () =>
    makeMailServerStore(database, { seal, fromEnvironment: undefined, targets: 'any' }).find(),
  'src/kernel/settings/settings-store.ts': () => makeSettingsStore(database).read(),
  'src/kernel/vouchers/storage/voucher-store.ts': () => makeVoucherStore(database, seal).listVersion(siteId),
};

/** Responses that are kept while the change stamp is unchanged. They also depend on the key, which is read above. */
const REUSED_RESPONSES: Record<string, () => Promise<unknown>> = {
  'src/kernel/contract/sites-handler.ts': () => makeSiteStore(database, seal, []).listActive(),
  // The vouchers of the list are read as well, but it is kept only while no list has changed.
  'src/features/api-v1/respond.ts': () => makeSiteStore(database, seal, []).list(),
  // The vouchers themselves are read as well, but the list is kept only while the version is unchanged.
  'src/kernel/contract/voucher-list-cache.ts': () => makeVoucherStore(database, seal).listVersion(siteId),
};

const filesWith = (pattern: RegExp) =>
  globSync('src/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') })
    .filter((file) => pattern.test(readFileSync(file, 'utf8')))
    .sort();

/** The columns that the statements read, as `table.column`. */
function columnsReadBy(statements: string[]): string[] {
  const columns: string[] = [];
  stranger.setAuthorizer((action, table, column) => {
    if (action === constants.SQLITE_READ) columns.push(`${table}.${column}`);
    return constants.SQLITE_OK;
  });
  for (const text of statements) reallyPrepare.call(stranger, text);
  stranger.setAuthorizer(null);
  return columns;
}

test('no cached read depends on a table or column whose changes keep the caches', async () => {
  assert.deepEqual(filesWith(/= makeCachedRead\(/), Object.keys(CACHED_READS).sort());
  assert.deepEqual(filesWith(/\breuse: \{/), Object.keys(REUSED_RESPONSES).sort());
  prepared = [];
  for (const read of Object.values({ ...CACHED_READS, ...REUSED_RESPONSES })) await read();
  const columns = columnsReadBy(prepared);
  for (const expected of ['api_keys.key_hash', 'sites.active', 'sites.list_version', 'settings.value'])
    assert.ok(columns.includes(expected), expected);
  const wrong = columns.filter(
    (name) => UNCACHED_TABLES.has(name.split('.')[0] ?? '') || UNCACHED_COLUMNS.has(name),
  );
  assert.deepEqual(wrong, []);
});

test('only the query of the list version depends on the list version', async () => {
  prepared = [];
  for (const [file, read] of Object.entries({ ...CACHED_READS, ...REUSED_RESPONSES }))
    if (!/vouchers?/.test(file)) await read();
  assert.ok(!columnsReadBy(prepared).includes('sites.list_version'));
});

async function createVoucher(code = '0482715936'): Promise<void> {
  const vouchers = makeVoucherStore(database, seal);
  const opened = await vouchers.begin(sampleIntent(siteId));
  assert.ok(opened.ok);
  await vouchers.record(opened.value, [sampleUpstream(`id of ${code}`, { code })]);
}

const run =
  (text: string) =>
  (transaction: Handle): Promise<unknown> =>
    sql.raw(text).execute(transaction);

test('a creation, a lease and the last use of a key keep the caches', async () => {
  const before = database.changeStamp();
  await createVoucher();
  await makeLeaseStore(database).take('x', 'y', 1_000);
  await makeKeyStore(database).saveLastUsed(new Map([[keyId, { atMs: NOW_MS, ip: '192.0.2.1' }]]));
  assert.equal(database.changeStamp(), before);
});

const INVALIDATING: Record<string, () => Promise<unknown>> = {
  'a revoked key': () => makeKeyStore(database).revoke(keyId, audit),
  'a changed site': () => makeSiteStore(database, seal, []).change(siteId, { active: false }, audit),
  'a changed setting': () => makeSettingsStore(database).change({ title: 'x' }, audit),
  'a list version that is raised without a note': () =>
    database.write(run('update sites set list_version = list_version + 1')),
  'a table that the code does not name': () => database.write(run('create table stranger (id integer)')),
};
for (const [what, change] of Object.entries(INVALIDATING))
  test(`${what} invalidates the caches`, async () => {
    const before = database.changeStamp();
    await change();
    assert.notEqual(database.changeStamp(), before);
  });

test('what a trigger writes invalidates the caches, even if the statement was compiled before it', async () => {
  const takeLease = () => makeLeaseStore(database).take('x', 'y', 1_000);
  await takeLease();
  stranger.exec(`create trigger surprise before insert on leases begin update sites set name = 'x'; end`);
  database.noteArrival?.();
  const stamps = [database.changeStamp()];
  for (let count = 0; count < 2; count++) {
    await takeLease();
    stamps.push(database.changeStamp());
  }
  assert.equal(new Set(stamps).size, 3);
});

test('a commit reports each recorded voucher as the list shows it, with the new version', async () => {
  const vouchers = makeVoucherStore(database, seal);
  for (const code of ['1', '2']) {
    await createVoucher(code);
    const [newest] = await vouchers.listNewest(siteId, 1);
    assert.deepEqual(changes.at(-1)?.recorded, { ...newest });
    assert.equal(changes.at(-1)?.version, Number(await vouchers.listVersion(siteId)));
  }
  assert.deepEqual(
    changes.map(({ version }) => version),
    [1, 2],
  );
});

test('a commit replaces the cached version of its list, and keeps those of other lists', async (context) => {
  const vouchers = makeVoucherStore(database, seal);
  const other = await addSite(database);
  const versions = async () => [await vouchers.listVersion(siteId), await vouchers.listVersion(other)];
  assert.deepEqual(await versions(), [0, 0]);
  await database.write((transaction) => raiseListVersion(transaction, siteId));
  const reads = context.mock.method(StatementSync.prototype, 'all');
  assert.deepEqual(await versions(), [1, 0]);
  assert.equal(reads.mock.callCount(), 0);
});

test('a job that is rolled back reports nothing, alone or beside others', async () => {
  const failing = () =>
    database.write(async (transaction) => {
      await raiseListVersion(transaction, siteId);
      await run(`update sites set name = 'x'`)(transaction);
      throw new Error('changed its mind');
    });
  const before = database.changeStamp();
  await assert.rejects(failing());
  await Promise.allSettled([failing(), createVoucher(), failing()]);
  assert.equal(database.changeStamp(), before);
  assert.deepEqual(
    changes.map(({ version }) => version),
    [1],
  );
});

test('nothing is reported before the commit', async () => {
  await database.write(async (transaction) => {
    await raiseListVersion(transaction, siteId);
    await run(`update sites set name = 'x'`)(transaction);
    assert.deepEqual(changes, []);
  });
  assert.equal(changes.length, 1);
});
