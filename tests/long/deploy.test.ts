// Runs the files in deploy/ and the blocks of docs/scaling.md as an administrator would: nginx and Caddy in front of a
// service with the settings of gastpass.env, and the exposure of the systemd units as systemd itself rates it.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request as plainRequest } from 'node:http';
import { type RequestOptions, request as tlsRequest } from 'node:https';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { makeSelfSigned } from '../../src/unifi-console/self-signed.ts';
import { findFreePort } from '../support/postgres-server.ts';
import { makeFolder, type RunningGastpass, startGastpass } from '../support/run-gastpass.ts';

const HOST = 'wifi.example.org';
const MAX_EXPOSURE = 2.5;
const PATIENCE_MS = 30_000;

const { folder, remove } = makeFolder();
const inFolder = (name: string) => join(folder, name);
const readProject = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const deployed = (name: string) => readProject(`deploy/${name}`);
let service: RunningGastpass;
before(async () => {
  const { certificatePem, privateKeyPem } = makeSelfSigned(Date.now());
  writeFileSync(inFolder('cert.pem'), certificatePem);
  writeFileSync(inFolder('cert.key'), privateKeyPem);
  const settings = Object.entries(parseEnv(deployed('gastpass.env')));
  const environment = Object.fromEntries(settings.map(([name, value]) => [name, value ?? '']));
  const admin = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'ein langes Passwort für Ada' };
  service = await startGastpass({ environment: { ...environment, ...admin, DATA_DIR: inFolder('data') } });
});
after(async () => {
  await service.stop();
  remove();
});

interface Ports {
  plain: number;
  tls: number;
}
const accessLogOf = ({ tls }: Ports) => inFolder(`access-${tls}.log`);
/** The addresses of the instances behind the proxy. */
type Instances = [string] | [string, string];
interface Reply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

async function ask(request: typeof tlsRequest, options: RequestOptions): Promise<Reply> {
  const to = { host: '127.0.0.1', servername: HOST, headers: { host: HOST } };
  const sent = request({ ...to, rejectUnauthorized: false, ...options });
  sent.end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

/** Waits until the proxy answers for a service that it takes for ready. */
async function untilServing({ tls }: Ports, proxy: ChildProcess, output: () => string): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS;
  for (;;) {
    const reply = await ask(tlsRequest, { port: tls, path: '/login' }).catch(() => undefined);
    if (reply?.status === 200) return;
    assert.ok(proxy.exitCode === null && performance.now() < giveUpAt, output());
    await sleep(100);
  }
}

/** The block that docs/scaling.md prints for two instances. */
function blockForTwo(language: string, [one, two]: Instances): string {
  const block = new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(
    readProject('docs/scaling.md'),
  )?.[1];
  assert.ok(block && two);
  return block.replace('10.0.0.11:8080', one).replace('10.0.0.12:8080', two);
}

const proxies = [
  {
    name: 'nginx',
    prepare({ plain, tls }: Ports, instances: Instances): string[] {
      const file = deployed('nginx.conf');
      const [one, two] = instances;
      const site = (two ? file.replace(/^upstream [^}]*\}\n/m, blockForTwo('nginx', instances)) : file)
        .replaceAll('/etc/ssl/wifi.example.org.', inFolder('cert.'))
        .replace('127.0.0.1:8080', one)
        .replaceAll(/listen (\[::\]:)?80;/g, `listen $1${plain};`)
        .replaceAll(/listen (\[::\]:)?443 /g, `listen $1${tls} `);
      writeFileSync(inFolder('site.conf'), site);
      const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (kind) => `${kind}_temp_path ${inFolder(kind)};`,
      );
      const main = `pid ${inFolder('nginx.pid')}; events {} http { access_log ${accessLogOf({ plain, tls })}; ${temporary.join(' ')} include site.conf; }`;
      writeFileSync(inFolder('nginx.conf'), main);
      return ['nginx', '-p', folder, '-c', inFolder('nginx.conf'), '-e', 'stderr', '-g', 'daemon off;'];
    },
  },
  {
    name: 'Caddy',
    prepare({ plain, tls }: Ports, instances: Instances): string[] {
      const [one, two] = instances;
      const line = 'reverse_proxy 127.0.0.1:8080';
      const site = deployed('Caddyfile')
        .replace(`\n${HOST} {`, `\n${HOST} {\n\ttls internal`)
        .replace(line, two ? blockForTwo('caddy', instances) : `reverse_proxy ${one}`);
      writeFileSync(
        inFolder('Caddyfile'),
        `{\n\tadmin off\n\tskip_install_trust\n\thttp_port ${plain}\n\thttps_port ${tls}\n}\n${site}`,
      );
      return ['caddy', 'run', '--adapter', 'caddyfile', '--config', inFolder('Caddyfile')];
    },
  },
];

interface RunningProxy {
  ports: Ports;
  get(path: string): Promise<Reply>;
  log(): string;
  stop(): Promise<void>;
}

async function startProxy(prepare: (ports: Ports) => string[]): Promise<RunningProxy> {
  const ports = { plain: await findFreePort(), tls: await findFreePort() };
  const [program = '', ...words] = prepare(ports);
  const proxy = spawn(program, words, {
    env: { PATH: `${process.env.PATH}:/usr/sbin`, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => proxy.kill());
  let errors = '';
  proxy.stderr?.setEncoding('utf8').on('data', (said: string) => {
    errors += said;
  });
  await untilServing(ports, proxy, () => `${program}: ${errors}`);
  return {
    ports,
    get: (path) => ask(tlsRequest, { port: ports.tls, path }),
    log: () => errors + (existsSync(accessLogOf(ports)) ? readFileSync(accessLogOf(ports), 'utf8') : ''),
    async stop() {
      proxy.kill();
      if (proxy.exitCode === null && proxy.signalCode === null) await once(proxy, 'exit');
    },
  };
}

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

for (const { name, prepare } of proxies)
  describe(`behind ${name}`, () => {
    let proxy: RunningProxy;
    before(async () => {
      proxy = await startProxy((ports) => prepare(ports, [new URL(service.url).host]));
    });
    after(() => proxy.stop());
    const get = (path: string) => proxy.get(path);

    test('a request to an instance that has just stopped goes to the other one', async () => {
      const second = await startSecondInstance();
      const instances: Instances = [second.address, new URL(service.url).host];
      const distributor = await startProxy((ports) => prepare(ports, instances));
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

    test('the secret of an invitation is in no access log', async () => {
      await ask(plainRequest, { port: proxy.ports.plain, path: '/invitation/hush' });
      assert.match((await get('/invitation/hush')).headers['content-type'] ?? '', /^text\/html/);
      for (const query of ['first', 'second']) await get(`/login?${query}`);
      // Caddy keeps an access log only if it is told to.
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

test('HAProxy accepts its configuration', () => {
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
    ADMIN_PASSWORD: `it's "quoted" in \\ the middle`,
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
