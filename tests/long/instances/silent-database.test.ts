// A database that stops responding without closing its connections, as when its machine freezes or the network loses
// every packet: callers get a response in time, and everything works again once the database responds.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Fleet, type FleetSite, startFleet } from '../../../rel/instances/fleet.ts';
import { makeTestDatabase } from '../../support/postgres.ts';
import { callApi } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';

/** Long enough for every statement of a responding database, even on a busy machine. */
const STATEMENT_TIMEOUT_MS = 3_000;
const RESPONDED_WITHIN_MS = 20_000;
const WORKS_WITHIN_MS = 30_000;

let fleet: Fleet;
let site: FleetSite;
let line: Awaited<ReturnType<typeof openLine>>;
let key: string;
before(async () => {
  const database = await makeTestDatabase();
  line = await openLine(Number(new URL(database.url).port));
  const url = new URL(database.url);
  url.port = String(line.port);
  fleet = await startFleet(1, {
    database,
    environment: { DATABASE_URL: url.href, DATABASE_STATEMENT_TIMEOUT_MS: String(STATEMENT_TIMEOUT_MS) },
  });
  site = await fleet.addConsole('unifi');
  key = await fleet.issueKey('write');
});
after(async () => {
  line.close();
  await fleet.stop();
});

/** Opens a proxy to the database that can drop all data in both directions. */
async function openLine(databasePort: number) {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((caller) => {
    const database = connect(databasePort, '127.0.0.1');
    for (const [from, to] of [
      [caller, database],
      [database, caller],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (isSilent || to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return {
    port: address.port,
    fallSilent() {
      isSilent = true;
    },
    /** Only new calls get through: dropped data stays lost. */
    speak() {
      isSilent = false;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

const instance = () => fleet.instances[0] ?? assert.fail();

async function statusOf(response: Promise<{ status: number }>): Promise<number> {
  const tooLate = sleep(RESPONDED_WITHIN_MS, undefined, { ref: false });
  return (await Promise.race([response, tooLate]))?.status ?? assert.fail('no response in time');
}

const order = () => statusOf(callApi(instance(), { key, body: { site_id: site.siteId, name: 'Gast' } }));
const list = () => statusOf(callApi(instance(), { key, path: `vouchers.php?site_id=${site.siteId}` }));
const isReady = () => statusOf(fetch(`${instance().url}/readyz`));

test('while the database does not respond, callers get 503 in time and no voucher is created', async () => {
  assert.equal(await order(), 201);
  line.fallSilent();
  const responses = await Promise.all([order(), order(), list(), list(), isReady()]);
  assert.deepEqual(responses, [503, 503, 503, 503, 503]);
  assert.equal(site.console.controls.vouchers().length, 1);
});

test('requests succeed again once the database responds', async () => {
  line.speak();
  await until(async () => (await order()) === 201, { patienceMs: WORKS_WITHIN_MS, everyMs: 100 });
  assert.deepEqual([await list(), await isReady()], [200, 200]);
});
