// A PostgreSQL that is not there at the start, does not let us in, or has fallen silent: one clear line, in
// time, without the password. And one that has become read-only while the service runs.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fleet, SECRET, startFleet } from '../../../rel/instances/fleet.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres-server.ts';
import { callApi, makeFolder, runGastpass } from '../../support/run-gastpass.ts';

const PASSWORD = 'hunter2-and-more';
const ENDS_WITHIN_MS = 20_000;
/** Instances on an idle machine work again within a second; a busy one needs longer. */
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
  test('nobody listens there', async () => {
    await assertRefused(
      `postgres://gastpass:${PASSWORD}@127.0.0.1:1/gastpass`,
      /ECONNREFUSED 127\.0\.0\.1:1\b/,
    );
  });

  test('nobody listens at any address of the name', async () => {
    await assertRefused(`postgres://gastpass:${PASSWORD}@localhost:1/gastpass`, /ECONNREFUSED/);
  });

  test('the name is unknown', async () => {
    await assertRefused(`postgres://gastpass:${PASSWORD}@nowhere.invalid/gastpass`, /nowhere\.invalid/);
  });

  test('somebody listens and never says a word', async () => {
    await using mute = await listenMutely();
    await assertRefused(`postgres://gastpass:${PASSWORD}@127.0.0.1:${mute.port}/gastpass`, /timeout/);
  });
});

describe('on a server of its own', () => {
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

  test('a wrong password and a database that is not there are named, the password is not', async () => {
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

  test('while the database is read-only lists go on, orders get 503, and all works again afterwards', async () => {
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
    /** As when the server is exchanged for a standby, and that one becomes the primary. */
    const turnReadOnly = async (state: 'on' | 'off') => {
      const change = `alter database ${name} set default_transaction_read_only = ${state}`;
      await database.rows(`set transaction read write; ${change}`);
      if (state === 'on') await cutConnections();
      // What is known about readiness is a second old at most.
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
    const giveUpAt = performance.now() + WORKS_WITHIN_MS;
    while (performance.now() < giveUpAt && (await ask()).flat().includes(503)) await sleep(100);
    assert.deepEqual(await ask(), [working, working]);
  });
});

/** Takes every connection and never says a word. */
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
