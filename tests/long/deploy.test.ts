// Runs the files in deploy/ and the blocks of docs/scaling.md as an administrator would: proxies in front of a service
// with the settings of gastpass.env, and the exposure of the systemd units as systemd itself rates it.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parseEnv } from 'node:util';
import { findFreePort } from '../support/postgres-server.ts';
import { makeFolder, type RunningGastpass, startGastpass } from '../support/run-gastpass.ts';
import { ask, deployed, HOST, type Instances, PROXIES, type RunningProxy, startProxy } from './proxies.ts';

const MAX_EXPOSURE = 2.5;

const { folder, remove } = makeFolder();
const inFolder = (name: string) => join(folder, name);
let service: RunningGastpass;
before(async () => {
  const settings = Object.entries(parseEnv(deployed('gastpass.env')));
  const environment = Object.fromEntries(settings.map(([name, value]) => [name, value ?? '']));
  const admin = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'ein langes Passwort für Ada' };
  service = await startGastpass({ environment: { ...environment, ...admin, DATA_DIR: inFolder('data') } });
});
after(async () => {
  await service.stop();
  remove();
});

/** A second instance: passes every connection on to the service until it is stopped. */
async function startSecondInstance(): Promise<{ address: string; stop(): void }> {
  const { hostname, port } = new URL(service.url);
  const stopped = new AbortController();
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname);
    for (const end of [socket, onward]) {
      end.on('error', () => {});
      stopped.signal.addEventListener('abort', () => end.destroy());
    }
    socket.pipe(onward).pipe(socket);
  });
  const own = await findFreePort();
  server.listen({ port: own, host: '127.0.0.1', signal: stopped.signal });
  await once(server, 'listening');
  return { address: `127.0.0.1:${own}`, stop: () => stopped.abort() };
}

for (const name of PROXIES)
  describe(`behind ${name}`, () => {
    let proxy: RunningProxy;
    before(async () => {
      proxy = await startProxy(name, [new URL(service.url).host], folder);
    });
    after(() => proxy.stop());
    const get = (path: string) => proxy.get(path);

    test('a request to an instance that has just stopped goes to the other one', async () => {
      const second = await startSecondInstance();
      const instances: Instances = [second.address, new URL(service.url).host];
      const distributor = await startProxy(name, instances, folder);
      try {
        second.stop();
        const replies = await Promise.all(Array.from({ length: 8 }, () => distributor.get('/login')));
        assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([200]));
      } finally {
        await distributor.stop();
      }
    });

    test('pages are served over HTTPS only, with a cookie for HTTPS only', async () => {
      const page = await get('/login');
      assert.equal(page.status, 200);
      assert.match(page.headers['set-cookie']?.[0] ?? '', /^__Host-.*; Secure;/);
      assert.doesNotMatch(page.body, /nicht verschlüsselt/);
      assert.equal(page.headers['strict-transport-security'], 'max-age=15552000');

      const plain = await ask(plainRequest, { port: proxy.ports.plain, path: '/login' });
      assert.equal(plain.status, 308);
      assert.match(plain.headers.location ?? '', new RegExp(`^https://${HOST}(:\\d+)?/login$`));
    });

    test('the secrets of invitations, guests, printers and screens are in no access log', async () => {
      const types = {
        '/invitation/hush': 'text/html',
        '/g/hush': 'text/html',
        '/request/hush/hush': 'text/html',
        '/print/epson/hush?mac=hush': 'application/json',
        '/rolling/hush.png?w=800': 'application/json',
        // A redirect, for a device that is not paired.
        '/screen/done/hush': undefined,
      };
      for (const [path, type] of Object.entries(types)) {
        await ask(plainRequest, { port: proxy.ports.plain, path });
        assert.equal((await get(path)).headers['content-type']?.split(';')[0], type, path);
      }
      for (const query of ['first', 'second']) await get(`/login?${query}`);
      // The others keep an access log only if they are told to.
      assert.equal(proxy.log().includes('/login?first'), name === 'nginx');
      assert.doesNotMatch(proxy.log(), /hush/);
    });

    test('the API is served under its public address, and the health endpoints are not', async () => {
      const openapi = await get('/api/openapi.php');
      assert.equal(JSON.parse(openapi.body).servers[0].url, `https://${HOST}/api`);
      assert.equal((await get('/api/sites.php')).status, 401);
      for (const path of ['/healthz', '/readyz', '/metrics']) assert.equal((await get(path)).status, 404);
    });
  });

test('HAProxy accepts its configuration in front of PostgreSQL', () => {
  writeFileSync(inFolder('haproxy.cfg'), deployed('haproxy.cfg'));
  const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', inFolder('haproxy.cfg')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

test('the command passes the settings on as systemd does, unless the caller has set them', () => {
  const settings = {
    DATABASE_URL: 'postgres://gastpass:a$b#c@db.example.org/gastpass?sslmode=verify-full&application_name=x',
    OIDC_SCOPES: 'openid profile email',
    ADMIN_PASSWORD: `it's "quoted" in the middle`,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  writeFileSync(
    inFolder('gastpass.env'),
    `# a comment\n\n${lines.join('\n')}\nTZ="Europe/Berlin"\nLAST='one'`,
  );
  const command = deployed('gastpass-command')
    .replace('[ "$(id -u)" = 0 ]', 'true')
    .replace('/etc/gastpass.env', inFolder('gastpass.env'))
    .replace(/^exec .*$/m, 'exec env');
  const run = (own: Record<string, string>) => {
    const { stdout, status } = spawnSync('sh', ['-c', command], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, ...own },
    });
    assert.equal(status, 0);
    return stdout.split('\n');
  };
  const passedOn = run({});
  for (const line of [...lines, 'TZ=Europe/Berlin', 'LAST=one']) assert.ok(passedOn.includes(line), line);

  // A line of another variable is no setting, and TZ often comes with a shell.
  const own = { DATABASE_URL_FILE: '/run/owner', LAST: '', TZ: 'UTC', NOTE: 'two\nOIDC_SCOPES=lines' };
  const mixed = run(own);
  const kept = ['DATABASE_URL_FILE=/run/owner', 'LAST='];
  for (const line of [...kept, 'TZ=Europe/Berlin', 'OIDC_SCOPES=openid profile email'])
    assert.ok(mixed.includes(line), line);
  assert.ok(!mixed.some((line) => line.startsWith('DATABASE_URL=')), 'one of DATABASE_URL and its file');
});

for (const unit of ['gastpass.service', 'gastpass@.service'])
  test(`systemd rates the exposure of ${unit} at ${MAX_EXPOSURE} or less`, () => {
    const file = new URL(`../../deploy/${unit}`, import.meta.url).pathname;
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['security', '--offline=true', '--no-pager', file],
      {
        encoding: 'utf8',
      },
    );
    const exposure = /Overall exposure level for .*: ([\d.]+) /.exec(stdout)?.[1];
    assert.ok(Number(exposure) <= MAX_EXPOSURE, stdout + stderr);
    assert.doesNotMatch(stderr, /Unknown|Failed/);
  });

test('a service tells systemd that it is ready, and starts even if that fails', async (t) => {
  const socket = inFolder('notify');
  const listener = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", end="", flush=True)
print(s.recv(100).decode(), end="", flush=True)
s.recv(100)`;
  const systemd = spawn('python3', ['-c', listener, socket], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => systemd.kill());
  await once(systemd.stdout, 'data');
  const said = once(systemd.stdout.setEncoding('utf8'), 'data');
  const start = (name: string, NOTIFY_SOCKET: string) =>
    startGastpass({ environment: { DATA_DIR: inFolder(name), NOTIFY_SOCKET } });
  const told = await start('told', socket);
  t.after(() => told.stop());
  assert.deepEqual(await said, ['READY=1']);

  const untold = await start('untold', inFolder('missing'));
  while (!untold.stdout().includes('systemd was not told'))
    await once(untold.child.stdout ?? untold.child, 'data');
  assert.equal((await untold.stop()).code, 0);
});

for (const unit of ['gastpass.service', 'gastpass@.service'])
  test(`systemd waits for ${unit} to be ready`, () => {
    assert.match(deployed(unit), /^Type=notify$/m);
    assert.match(deployed(unit), /^NotifyAccess=all$/m);
  });
