// Instances that start at once on one database: one of them migrates and sets up the database, and all of them start.
// And instances that must not start next to the others.

import assert from 'node:assert/strict';
import { after, afterEach, beforeEach, describe, test } from 'node:test';
import pg from 'pg';
import { SECRET } from '../../../rel/instances/fleet.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { migrations } from '../../../src/platform/database/migrations/index.ts';
import { TESTER } from '../../support/actors.ts';
import { makeTestDatabase, type TestDatabase } from '../../support/postgres.ts';
import {
  callApi,
  type Ended,
  makeFolder,
  type RunningGastpass,
  runGastpass,
  startGastpass,
} from '../../support/run-gastpass.ts';
import { testConfig } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

let database: TestDatabase;
let running: RunningGastpass[];
beforeEach(async () => {
  database = await makeTestDatabase();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop('SIGKILL')));
  await database.drop();
});

function environmentOf(more: Record<string, string> = {}) {
  return { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET, LOG_LEVEL: 'silent', PORT: '0', ...more };
}

async function start(more: Record<string, string> = {}): Promise<RunningGastpass> {
  const instance = await startGastpass({ dataDir, environment: environmentOf(more) });
  running.push(instance);
  return instance;
}

const tryToStart = (more: Record<string, string> = {}) =>
  runGastpass(['serve'], { dataDir, environment: environmentOf(more) });

function assertRefused({ code, stdout, stderr }: Ended, reason: RegExp, expectedCode = 1): void {
  assert.match(stderr, reason);
  assert.match(stderr, /^gastpass: [^\n]+\n$/);
  assert.deepEqual([code, stdout], [expectedCode, '']);
}

async function count(table: string): Promise<number> {
  return Number((await database.rows(`select count(*) as n from ${table}`))[0]?.n);
}

/** The tables of the database, in alphabetical order. */
async function tables(): Promise<unknown[]> {
  const rows = await database.rows(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
}

async function version(): Promise<unknown> {
  return (await database.rows('select coalesce(max(version), 0)::int as version from schema_version'))[0]
    ?.version;
}

/** Only the locks of this database: other databases share the server. */
const locks =
  'select * from pg_locks where database = (select oid from pg_database where datname = current_database())';

async function untilThereAre(those: string): Promise<void> {
  await until(async () => (await database.rows(`${locks} and ${those}`)).length > 0);
}

describe('on an empty database', () => {
  test('three instances started at once create one administrator, one demo site and one key, shown once', async () => {
    const instances = await Promise.all([start(), start(), start()]);
    const shown = instances.map(({ stdout }) => /gpk_[0-9A-Za-z]+/.exec(stdout())?.[0]);
    const [key, ...more] = shown.filter((text) => text !== undefined);
    assert.ok(
      key !== undefined && more.length === 0,
      `${shown.filter(Boolean).length} instances showed a key`,
    );
    assert.deepEqual(
      instances.map(({ stdout }) => /Password {7}\S/.test(stdout())),
      shown.map((text) => text !== undefined),
    );
    assert.deepEqual(await Promise.all(['users', 'sites', 'api_keys', 'audit'].map(count)), [1, 1, 1, 1]);
    assert.equal(await version(), migrations.length);
    for (const instance of instances) {
      const { status, json } = await callApi(instance, { key, body: { site_id: 1, name: 'Zimmer 12' } });
      assert.equal(status, 201, JSON.stringify(json));
    }
  });

  for (const users of [0, 1])
    test(`two concurrent set-ups have the effect of one (${users} users before)`, async () => {
      const config = testConfig({ ...environmentOf(), DATA_DIR: dataDir });
      const [one, other] = await Promise.all([openInstallation(config), openInstallation(config)]);
      const ada = { email: 'ada@example.org', name: 'Ada', role: 'admin' as const };
      if (users > 0)
        await one.users.add(
          { ...ada, passwordHash: 'none', createdAtMs: Date.now() },
          { actor: TESTER, atMs: 0 },
        );
      const reports = await Promise.all([one.setup(config), other.setup(config)]);
      await Promise.all([one.close(), other.close()]);
      assert.equal(reports.filter((report) => Object.keys(report).length > 0).length, 1);
      assert.deepEqual(await Promise.all(['users', 'sites', 'api_keys'].map(count)), [1, 1, 1]);
    });

  test('of two instances with different secrets one starts, and the other says why it does not', async () => {
    const outcomes = await Promise.allSettled([
      start(),
      start({ GASTPASS_SECRET: 'another secret than the other instances' }),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 1);
    assert.match(String(refused[0]?.reason), /ended with 2: gastpass: the secret does not fit this database/);
  });

  test('a migration whose instance dies half-way leaves nothing, and the waiting instance migrates', async () => {
    await database.rows('create table schema_version (version bigint primary key)');
    const blocker = new pg.Client({ connectionString: database.url });
    await blocker.connect();
    // No instance can record a version now: the first migration is done, but not committed.
    await blocker.query('begin; lock table schema_version in share mode');
    const first = tryToStart().catch(() => undefined);
    await untilThereAre("relation = 'schema_version'::regclass and not granted");
    const second = start();
    await untilThereAre("locktype = 'advisory' and not granted");
    assert.deepEqual(await tables(), ['schema_version']);

    await database.rows(
      `select pg_terminate_backend(pid) from (${locks} and granted) as held where locktype = 'advisory'`,
    );
    await first;
    await blocker.query('rollback');
    await blocker.end();
    await second;
    assert.equal(await version(), migrations.length);
    assert.equal(await count('sites'), 1);
  });
});

test('a failed migration leaves nothing, and succeeds once its obstacle is gone', async () => {
  await database.rows('create table leases (theirs int)');
  assertRefused(await tryToStart(), /relation "leases" already exists/);
  assert.deepEqual(await tables(), ['leases']);
  await database.rows('drop table leases');
  await start();
  assert.equal(await version(), migrations.length);
});

describe('next to a running instance', () => {
  test('an instance with another secret is refused, and the first instance continues', async () => {
    const first = await start();
    const refused = await tryToStart({ GASTPASS_SECRET: 'another secret than the other instances' });
    assertRefused(refused, /the secret does not fit this database: set GASTPASS_SECRET/, 2);
    assert.equal((await callApi(first, { key: 'x', path: 'sites.php' })).status, 401);
  });

  test('an instance without a secret is refused', async () => {
    assertRefused(await tryToStart({ GASTPASS_SECRET: '' }), /with DATABASE_URL set GASTPASS_SECRET too/, 2);
  });

  test('an older release neither starts on the schema of a newer release nor runs a command on it', async () => {
    await start();
    await database.rows('insert into schema_version values (999)');
    const reason = /schema version 999, this release knows \d+: start the newer release/;
    assertRefused(await tryToStart(), reason);
    assertRefused(await runGastpass(['keys', 'list'], { dataDir, environment: environmentOf() }), reason);
  });
});
