// Tests what a service loads that only serves the API: the time to start and the memory of an idle service depend on
// it. Tests that a service in use loads nothing while it serves requests, because loading delays all of them. Counts,
// because times depend on the machine.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { loginToService } from '../../bench/login.ts';
import { packKysely, writePackedKysely } from '../../bin/pack-kysely.ts';
import { startSimulatedConsole } from '../../packages/unifi-console/src/index.ts';
import { callApi, makeFolder, runGastpass, startGastpass } from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

const { folder, remove } = makeFolder();
after(remove);

const root = fileURLToPath(new URL('../../', import.meta.url));
const NOTE_LOADED = fileURLToPath(new URL('../support/note-loaded.ts', import.meta.url));
/**
 * A little more than today. A new file of the API path may raise it; a new layer that is loaded at the start may not.
 */
const MAX_OWN_FILES = 520;

const PAGES = [
  '/',
  '/vouchers',
  '/vouchers/1',
  '/vouchers/1/guest',
  '/vouchers/print?voucher=1',
  '/vouchers/pdf?voucher=1',
  '/overview',
  '/health',
  '/sites',
  '/sites/1/slip',
  '/users',
  '/keys',
  '/webhooks',
  '/audit',
  '/settings',
  '/batches',
  '/profiles',
  '/api-docs',
  '/api-docs/explore',
  '/account',
  '/account/second-factor/new',
  '/export/vouchers.csv',
];

test('a service that only serves the API loads no page, PDF, driver library or second database engine', async () => {
  const noted = join(folder, 'loaded.json');
  const service = await startGastpass({
    dataDir: join(folder, 'data'),
    environment: { NOTE_LOADED_TO: noted },
    nodeOptions: ['--import', NOTE_LOADED],
  });
  const key = /API key +(\S+)/.exec(service.stdout())?.[1] ?? '';
  assert.equal((await callApi(service, { key, body: { site_id: 1, name: 'Zimmer 12' } })).status, 201);
  assert.equal((await callApi(service, { key, path: 'vouchers.php?site_id=1' })).status, 200);
  await service.stop();

  const { files, builtins }: { files: string[]; builtins: string[] } = JSON.parse(
    readFileSync(noted, 'utf8'),
  );
  const packages = new Set(files.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]));
  const isOwn = (file: string) => file.startsWith('src/');
  assert.deepEqual(
    [
      'hono',
      'kysely',
      'nodemailer',
      'openid-client',
      'pdfkit',
      'pg',
      'qr',
      'swagger-ui-dist',
      'undici',
    ].filter((name) => packages.has(name)),
    [],
    'Kysely is loaded from the packed file, the others when they are needed',
  );
  assert.deepEqual(
    files.filter((file) => /^(packages|src\/(web|print|oidc|storage\/(postgres|move|tables)))\//.test(file)),
    [],
  );
  assert.ok(files.filter(isOwn).length <= MAX_OWN_FILES, `${files.filter(isOwn).length} own files`);
  // An import of node:http loads Node's fetch and WebSocket; see platform/http/server.ts.
  assert.deepEqual(
    builtins.filter((name) => /undici|NativeModule (tls|https)$/.test(name)),
    [],
  );
});

test('a service in use loads no module while it serves requests', async () => {
  const console = await startSimulatedConsole({ port: 0, flavour: 'unifi-os' });
  const dataDir = join(folder, 'in-use');
  const environment = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'zehn Zeichen und mehr' };
  const before = await startGastpass({ dataDir, environment });
  const key = /API key +(\S+)/.exec(before.stdout())?.[1] ?? '';
  const cookie = await loginToService(before.url, {
    email: environment.ADMIN_EMAIL,
    password: environment.ADMIN_PASSWORD,
  });
  await before.stop();
  const credentials = ['--api-key', console.apiKey, '--fingerprint', console.fingerprint256];
  const site = ['--name', 'Haus A', '--controller', 'unifi', '--url', console.url, ...credentials];
  const siteId = Number((await runGastpass(['sites', 'add', ...site], { dataDir })).stdout);

  const noted = join(folder, 'in-use.json');
  const service = await startGastpass({
    dataDir,
    environment: { ...environment, NOTE_LOADED_TO: noted },
    nodeOptions: ['--import', NOTE_LOADED],
  });
  const readFiles = (): string[] => JSON.parse(readFileSync(noted, 'utf8')).files;
  const isLoaded = () => existsSync(noted) && readFiles().includes('src/app/pages.ts');
  await until(
    () => {
      service.child.kill('SIGUSR2');
      return isLoaded();
    },
    { everyMs: 50 },
  );
  const atFirst = readFiles();
  for (const site_id of [1, siteId]) {
    assert.equal((await callApi(service, { key, body: { site_id, name: 'Zimmer 12' } })).status, 201);
    assert.equal((await callApi(service, { key, path: `vouchers.php?site_id=${site_id}` })).status, 200);
  }
  for (const path of PAGES)
    assert.equal((await fetch(service.url + path, { headers: { cookie } })).status, 200, path);
  await service.stop();
  await console.stop();
  assert.deepEqual(readFiles().slice(atFirst.length), []);
});

test('the packed Kysely exports what Kysely exports', async () => {
  const main = fileURLToPath(import.meta.resolve('kysely'));
  const path = join(mkdtempSync(join(folder, 'packed-')), 'kysely.mjs');
  writePackedKysely(main, path);
  assert.doesNotMatch(packKysely(main), /^import |^export (?!const \{)/m);
  const [packed, original] = await Promise.all([import(pathToFileURL(path).href), import('kysely')]);
  const kinds = (module: object) => Object.entries(module).map(([name, value]) => `${name}: ${typeof value}`);
  assert.deepEqual(kinds(packed).sort(), kinds(original).sort());
});

test('a command runs where the cache folder cannot be written', () => {
  const project = join(folder, 'read-only');
  for (const part of ['bin', 'src', 'packages', 'package.json'])
    cpSync(join(root, part), join(project, part), { recursive: true });
  mkdirSync(join(project, 'node_modules'));
  for (const name of readdirSync(join(root, 'node_modules')).filter((name) => !name.startsWith('.')))
    symlinkSync(join(root, 'node_modules', name), join(project, 'node_modules', name));
  // A file instead of the folder, because root may write to any folder.
  writeFileSync(join(project, 'node_modules/.cache'), '');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(project, 'bin/gastpass.js'), 'migrate'],
    { env: { DATA_DIR: join(folder, 'read-only-data') }, encoding: 'utf8' },
  );
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^There was no database/);
});
