// A PostgreSQL that is missing at the start, refuses the login or does not respond: one clear line, in time, without
// the password. And a PostgreSQL that becomes read-only while the service runs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fleet, SECRET, startFleet } from '../../../rel/instances/fleet.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { callApi, makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';

const PASSWORD = 'hunter2-and-more';
const ENDS_WITHIN_MS = 20_000;
/** On an idle machine the instances work again within a second; a busy machine needs longer. */
const WORKS_WITHIN_MS = 30_000;

const { folder: dataDir, remove } = makeFolder();
after(remove);

async function assertRefused(databaseUrl: string, reason: RegExp): Promise<void> {
  const startedAt = performance.now();
  const environment = { DATABASE_URL: databaseUrl, GASTPASS_SECRET: SECRET, PORT: '0' };
  const { code, stdout, stderr } = await runGastpass(['serve'], { dataDir, environment });
  assert.match(stderr, reason);
  assert.match(stderr, /^gastpass: [^\n]+\n$/);
  assert.ok(!stderr.includes(PASSWORD), stderr);
  assert.deepEqual([code, stdout], [1, '']);
  assert.ok(performance.now() - startedAt < ENDS_WITHIN_MS);
}

describe('a start without a database', { concurrency: true }, () => {
  test('is refused if no server listens on the port', async () => {
    await assertRefused(
      `postgres://gastpass:${PASSWORD}@127.0.0.1:1/gastpass`,
      /ECONNREFUSED 127\.0\.0\.1:1\b/,
    );
  });

  test('is refused if no server listens on any IP address of the host name', async () => {
    await assertRefused(`postgres://gastpass:${PASSWORD}@localhost:1/gastpass`, /ECONNREFUSED/);
  });

  test('is refused if the host name is unknown', async () => {
    await assertRefused(`postgres://gastpass:${PASSWORD}@nowhere.invalid/gastpass`, /nowhere\.invalid/);
  });

  test('is refused if the server accepts the connection and never responds', async () => {
    await using mute = await listenMutely();
    await assertRefused(`postgres://gastpass:${PASSWORD}@127.0.0.1:${mute.port}/gastpass`, /timeout/);
  });
});

describe('on a separate server', () => {
  let server: PostgresServer;
  let fleet: Fleet;
  before(async () => {
    server = await startPostgres();
    process.env.TEST_DATABASE_URL = server.url;
    fleet = await startFleet(2);
  });
  after(async () => {
    await fleet.stop();
    server.stop();
  });

  test('messages name a wrong password and a missing database, but never contain the password', async () => {
    const { database } = fleet;
    await database.rows(`create role guarded login password 'the right one'`);
    await database.rows(
      `do $$ begin execute format(
        $copy$copy (select 'host all guarded all scram-sha-256' union all select 'host all all all trust') to %L$copy$,
        current_setting('hba_file')); end $$`,
    );
    await database.rows('select pg_reload_conf()');
    const { host, pathname } = new URL(database.url);
    await assertRefused(
      `postgres://guarded:${PASSWORD}@${host}${pathname}`,
      /password authentication failed for user "guarded"/,
    );
    await assertRefused(
      `postgres://gastpass:${PASSWORD}@${host}/not_there`,
      /database "not_there" does not exist/,
    );
  });

  test('on a read-only database lists work and orders get 503; later everything works again', async () => {
    const { database, instances } = fleet;
    const { siteId, console } = await fleet.addConsole('unifi');
    const [key, limited] = [await fleet.issueKey('write'), await fleet.issueKey('write', 1_000)];
    const name = new URL(database.url).pathname.slice(1);
    const ask = () =>
      Promise.all(
        instances.map(async (instance) => {
          const order = await callApi(instance, { key, body: { site_id: siteId, name: 'Gast' } });
          const list = await callApi(instance, { key, path: `vouchers.php?site_id=${siteId}` });
          const counted = await callApi(instance, { key: limited, path: 'sites.php' });
          return [order.status, list.status, counted.status, (await fetch(`${instance.url}/readyz`)).status];
        }),
      );
    /** As when a standby replaces the server and is then promoted to primary. */
    const turnReadOnly = async (state: 'on' | 'off') => {
      const change = `alter database ${name} set default_transaction_read_only = ${state}`;
      await database.rows(`set transaction read write; ${change}`);
      if (state === 'on') await cutConnections();
      // The readiness check is cached for up to a second.
      await sleep(1_100);
    };
    const cutConnections = () =>
      database.rows(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        name,
      );
    const working = [201, 200, 200, 200];
    assert.deepEqual(await ask(), [working, working]);

    await turnReadOnly('on');
    const readOnly = [503, 200, 503, 503];
    assert.deepEqual(await ask(), [readOnly, readOnly]);
    assert.equal(console.controls.vouchers().length, 2);

    await turnReadOnly('off');
    const isBack = async () => !(await ask()).flat().includes(503);
    await until(isBack, { patienceMs: WORKS_WITHIN_MS, everyMs: 100 });
    assert.deepEqual(await ask(), [working, working]);
  });
});

/** Accepts every connection and never responds. */
async function listenMutely(): Promise<{ port: number } & AsyncDisposable> {
  const sockets: Socket[] = [];
  const mute: Server = createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const address = mute.address();
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return {
    port: address.port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      mute.close();
    },
  };
}
