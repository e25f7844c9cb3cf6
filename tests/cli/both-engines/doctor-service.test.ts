// Tests what `gastpass doctor` says about the service: stopped, its port taken by another program, or another release;
// and what it reads from a controller: its certificate and its clock.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { after, before, test } from 'node:test';
import { makeSelfSigned } from '../../../packages/unifi-console/src/self-signed.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { VERSION } from '../../../src/platform/config/version.ts';
import { lockForService } from '../../../src/platform/database/service-lock.ts';
import { sayDay } from '../../../src/platform/texts/durations.ts';
import { TESTER } from '../../support/actors.ts';
import { engine } from '../../support/engine.ts';
import { makeDatabase, makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

const DAY_MS = 24 * 60 * 60_000;
const START = 'start the service with gastpass serve, or systemctl start gastpass';

const { folder: dataDir, remove } = makeFolder();
before(() => makeDatabase(dataDir));
after(remove);

async function listening(server: Pick<Server, 'listen' | 'address'> & NodeJS.EventEmitter): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return String(typeof address === 'object' ? address?.port : '');
}

async function lines(about: string, PORT: string): Promise<string[]> {
  const { stdout } = await runGastpass(['doctor'], { dataDir, environment: { PORT } });
  return stdout.split('\n').filter((line) => line.slice(9).startsWith(about));
}

/** What doctor says while this answers on the port. */
async function whileResponding(respond: RequestListener): Promise<string[]> {
  const server = createServer(respond);
  const port = await listening(server);
  const said = await lines('Service', port);
  server.close();
  server.closeAllConnections();
  return said.map((line) => line.replaceAll(port, 'PORT'));
}

async function freePort(): Promise<string> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  return port;
}

test('a stopped service is a fault', async () => {
  const port = await freePort();
  const expected =
    engine === 'sqlite'
      ? `fault    Service: Not running. Start it with gastpass serve, or systemctl start gastpass.`
      : `fault    Service: Nothing answers at http://127.0.0.1:${port}. If the service is stopped, start it with gastpass serve, or systemctl start gastpass or gastpass@${port}; otherwise run doctor where it runs, with its HOST and PORT.`;
  assert.deepEqual(await lines('Service', port), [expected]);
});

test('another program on the port is a fault, whatever it answers', async () => {
  const expected =
    engine === 'sqlite'
      ? `fault    Service: Not running, and another program uses http://127.0.0.1:PORT. Stop that program, or set another PORT; then ${START}.`
      : `fault    Service: Another program answers at http://127.0.0.1:PORT. Stop that program, or set another PORT; then ${START} or gastpass@PORT.`;
  assert.deepEqual(await whileResponding((_, response) => response.end('<h1>It works!</h1>')), [expected]);
  assert.deepEqual(await whileResponding((_, response) => response.socket?.end('220 mail\r\n')), [expected]);
});

test('a service that is not ready is a fault with the fix, unless it starts or stops', async () => {
  const release = engine === 'sqlite' ? lockForService(dataDir) : () => {};
  const notReady = (obstacles: string[]) =>
    whileResponding((request, response) => {
      const isHealth = request.url === '/healthz';
      response.statusCode = isHealth ? 200 : 503;
      response.end(JSON.stringify(isHealth ? { status: 'ok', version: VERSION } : { obstacles }));
    });
  const at = 'Service: Running at http://127.0.0.1:PORT, but not ready';
  assert.deepEqual(await notReady(['database cannot be written: disk full']), [
    `fault    ${at} (database cannot be written: disk full). Delete files on the disk of the database, or enlarge it.`,
  ]);
  assert.deepEqual(await notReady(['database cannot be written']), [
    `fault    ${at} (database cannot be written). Its log says why.`,
  ]);
  assert.deepEqual(await notReady(['starting']), [`warning  ${at} (starting). Wait.`]);
  release();
});

test('a service of another release must be restarted', async () => {
  const release = engine === 'sqlite' ? lockForService(dataDir) : () => {};
  const respond = (health: object) => whileResponding((_, response) => response.end(JSON.stringify(health)));
  const at = 'Service: Running at http://127.0.0.1:PORT';
  assert.deepEqual(await respond({ status: 'ok', version: '0.0.9' }), [
    `warning  ${at} with version 0.0.9, but ${VERSION} is installed. Restart it.`,
  ]);
  assert.deepEqual(await respond({ status: 'ok', version: VERSION }), [`ok       ${at}, version ${VERSION}`]);
  release();
  if (engine === 'sqlite') return;
  // A service that was not restarted since DATABASE_URL was set.
  const releaseSqlite = lockForService(dataDir);
  assert.deepEqual(await respond({ status: 'ok', version: VERSION }), [
    `fault    Service: DATABASE_URL is set, but the service on ${dataDir} still runs with the SQLite database there. Restart it; or wait, if gastpass move, restore or migrate is running.`,
  ]);
  releaseSqlite();
});

if (engine === 'sqlite') {
  test('a Gastpass with another data folder on the port is told apart', async () => {
    const said = await whileResponding((_, response) =>
      response.end(JSON.stringify({ status: 'ok', version: VERSION })),
    );
    assert.deepEqual(said, [
      `fault    Service: Not running on this data folder, but another Gastpass answers at http://127.0.0.1:PORT. Run doctor with the DATA_DIR of that one. Or stop it, or set another PORT; then ${START}.`,
    ]);
  });

  test('a running service on another port is a warning, which says what to set', async () => {
    const release = lockForService(dataDir);
    const port = await freePort();
    assert.deepEqual(await lines('Service', port), [
      `warning  Service: Running, but nothing answers at http://127.0.0.1:${port}. Run doctor with the HOST and PORT of the service.`,
    ]);
    release();
  });
}

test('an expired certificate and another clock of a controller are reported', async () => {
  const { certificatePem, privateKeyPem, fingerprint256 } = makeSelfSigned(Date.now() - 3_655 * DAY_MS);
  const console = createTlsServer({ cert: certificatePem, key: privateKeyPem }, (_, response) => {
    response.setHeader('date', new Date(Date.now() + 3 * 60 * 60_000).toUTCString());
    response.writeHead(401).end();
  });
  const url = `https://127.0.0.1:${await listening(console)}`;
  const installation = await openInstallation(await configOf(dataDir));
  await installation.sites.add(
    {
      name: 'Haus A',
      active: true,
      controllerKind: 'unifi',
      controllerSite: 'default',
      connection: { url, credentials: { apiKey: 'k' }, trust: { kind: 'pinned', fingerprint256 } },
    },
    { actor: TESTER, atMs: Date.now() },
  );
  await installation.close();
  const expiredOn = sayDay(Date.now() - 5 * DAY_MS, { language: 'en', timeZone: 'UTC' }).replaceAll(
    '\u00a0',
    ' ',
  );
  const { stdout } = await runGastpass(['doctor'], { dataDir, environment: { PORT: '0' } });
  console.close();
  assert.ok(
    stdout.includes(
      `warning  Certificate of site 1 (Haus A): Expired on ${expiredOn}. Renew it on the controller, then confirm the new certificate. To confirm the certificate: gastpass sites set 1 --fingerprint SHA256\n`,
    ),
    stdout,
  );
  assert.match(
    stdout,
    /^fault {4}Clock: The clock of the server \(.* UTC\) is (3 hr|2 hr 59 min|3 hr 1 min) behind the clock of the controller of Haus A\. .* Correct whichever of the two clocks is wrong\. On the server: timedatectl set-ntp true$/m,
  );
  assert.match(
    stdout,
    /^fault {4}Site 1 \(Haus A\): The controller rejects the API key of Gastpass: .*, or create a new one on the controller\. To change the credentials: gastpass sites set 1 --api-key-file FILE$/m,
  );
});
