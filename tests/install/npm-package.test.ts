// Tests the npm package: what it contains, and that it can be installed and used with npm and the supported Node alone.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeFolder } from '../support/run-gastpass.ts';
import { takeFirstSteps } from './first-steps.ts';
import { inDist, PATH, run, startService, tarball, version } from './packed.ts';

const MAX_PACKED_BYTES = 8_000_000;
const MAX_INSTALLED_BYTES = 17_000_000;

const EXPECTED = [
  /^(package\.json|README\.md|CHANGELOG\.md|LICENSE|THIRD-PARTY-NOTICES)$/,
  /^bin\/(gastpass|gastpass\.js|node)$/,
  /^docs\/([a-z0-9-]+|README)\.md$/,
  /^deploy\/(gastpass(@?\.service|\.env|-command)|nginx\.conf|haproxy(-web)?\.cfg|(compose\.)?Caddyfile|compose(\.scale)?\.yaml)$/,
  /^deploy\/monitoring\/(alerts\.yml|grafana-dashboard\.json)$/,
  /^deploy\/kubernetes\/[a-z-]+\.(yaml|env\.example)$/,
  /^lib\/(main|print-worker|bcrypt-worker|checkpoint-worker)\.js$/,
  /^lib\/[a-z0-9_-]+-[A-Z0-9]{8}\.js$/,
  /^lib\/assets\/[a-z0-9-]+\.(css|js|svg|png)$/,
  /^lib\/api-examples\/vouchers\.(sh|mjs|py|php)$/,
  /^lib\/resvg\.wasm$/,
  /^lib\/fonts\/(plain|bold|mono)\.ttf$/,
  /^lib\/fonts\/(rest|sans|sans-bold)\.woff$/,
  /^lib\/guide\/settings\.md$/,
  /^lib\/swagger-ui\/(package\.json|swagger-ui\.css|swagger-ui-bundle\.js)$/,
];

const { folder, remove } = makeFolder();
after(remove);
const bare = { cwd: folder, env: { PATH } };

test('the package contains only the files that it needs to run', () => {
  const { stdout } = run(['tar', '-tzf', tarball], bare);
  const files = stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
  assert.deepEqual(
    files.filter((path) => !EXPECTED.some((pattern) => pattern.test(path))),
    [],
  );
  for (const pattern of EXPECTED)
    assert.ok(
      files.some((path) => pattern.test(path)),
      String(pattern),
    );
  const manifest = JSON.parse(readFileSync(inDist('gastpass/package.json'), 'utf8'));
  assert.deepEqual(
    [manifest.dependencies, manifest.optionalDependencies, manifest.scripts, manifest.private],
    [undefined, undefined, undefined, undefined],
  );
  assert.ok(statSync(tarball).size <= MAX_PACKED_BYTES, `${statSync(tarball).size} bytes`);
});

test('the bill of materials names the packages whose licences are in the package, each with its hash', () => {
  const { components, serialNumber, metadata } = JSON.parse(
    readFileSync(inDist(`gastpass-${version}.cdx.json`), 'utf8'),
  );
  const notices = readFileSync(inDist('gastpass/THIRD-PARTY-NOTICES'), 'utf8');
  const named = Array.from(
    notices.matchAll(/^=+\n(\S+) (\S+)\nLicence: /gm),
    ([, name, its]) => `${name}@${its}`,
  );
  type Part = { name: string; version: string; hashes: { content: string }[] };
  assert.deepEqual(
    components.map((part: Part) => `${part.name}@${part.version}`),
    named,
  );
  for (const name of [
    'kysely',
    'pdfkit',
    'undici',
    'swagger-ui-dist',
    'dejavu-fonts-ttf',
    '@fontsource/unifont',
    'source-sans',
  ])
    assert.ok(
      named.some((one) => one.startsWith(`${name}@`)),
      name,
    );
  assert.ok(components.every((part: Part) => /^[0-9a-f]{128}$/.test(part.hashes[0]?.content ?? '')));
  assert.deepEqual([serialNumber, metadata.timestamp], [undefined, undefined]);
});

describe('installed with npm install -g', () => {
  const prefix = join(folder, 'prefix');
  const gastpass = join(prefix, 'bin/gastpass');
  const home = join(folder, 'home');
  const cwd = join(folder, 'empty');
  const env = { PATH, HOME: home, PORT: '0' };
  let startedAtMs = 0;
  before(() => {
    for (const place of [home, cwd]) mkdirSync(place);
    startedAtMs = performance.now();
    const words = ['npm', 'install', '--global', '--offline', '--prefix', prefix, tarball];
    const { status, stderr } = run(words, { cwd: folder, env: { PATH, HOME: folder } });
    assert.equal(status, 0, stderr);
  });

  test('the first voucher, a page, the explorer of the API and a PDF work, and only ./data is written', async (t) => {
    const before = filesBelow(prefix);
    assert.ok(sizeOf(prefix) <= MAX_INSTALLED_BYTES, `${sizeOf(prefix)} bytes`);
    const service = await startService([gastpass, 'serve'], { cwd, env });
    const [, password = '', key = ''] = /Password +(\S+)[\s\S]*API key +(\S+)/.exec(service.output) ?? [];
    await takeFirstSteps({ url: service.url, key, email: 'admin@localhost', password });
    const seconds = ((performance.now() - startedAtMs) / 1000).toFixed(1);
    t.diagnostic(`installed and used in ${seconds} s, ${(sizeOf(prefix) / 1e6).toFixed(1)} MB installed`);
    assert.equal(await service.stop(), 0);
    assert.deepEqual(filesBelow(prefix), before);
    assert.deepEqual([readdirSync(home), readdirSync(cwd)], [[], ['data']]);
  });

  test('commands, real drivers and PostgreSQL find their parts', async () => {
    assert.equal(run([gastpass, 'version'], { cwd, env }).stdout, `${version}\n`);
    assert.match(run([gastpass, 'doctor'], { cwd, env }).stdout, /Demo/);
    const connection = [
      '--controller',
      'unifi',
      '--url',
      'https://127.0.0.1:1',
      '--api-key',
      'x',
      '--insecure',
    ];
    const refused = run([gastpass, 'sites', 'add', '--name', 'Haus A', ...connection], { cwd, env });
    assert.match(refused.stderr, /ECONNREFUSED 127\.0\.0\.1:1/);
    const secret = {
      GASTPASS_SECRET: 'x'.repeat(32),
      DATABASE_URL: 'postgres://gastpass@127.0.0.1:1/gastpass',
    };
    const away = run([gastpass, 'keys', 'list'], { cwd, env: { ...env, ...secret } });
    assert.match(away.stderr, /^gastpass: .*database.*\n$/);
    assert.doesNotMatch(refused.stderr + away.stderr, /Cannot find/);
  });

  test('the simulated console starts, accepts its API key and stops', async () => {
    const words = ['simulate-controller', '--port', '0', '--json'];
    const child = spawn(gastpass, words, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    after(() => child.kill('SIGKILL'));
    let facts = '';
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      facts += chunk;
      if (facts.endsWith('}\n')) break;
    }
    const { url, certificatePem: ca, apiKey } = JSON.parse(facts);
    const [response] = await once(
      get(`${url}/proxy/network/integration/v1/sites`, { ca, headers: { 'X-API-KEY': apiKey } }),
      'response',
    );
    assert.match((await response.toArray()).join(''), /"internalReference":"default"/);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'close'), [0, null]);
  });

  test('every part can be loaded', () => {
    const lib = join(prefix, 'lib/node_modules/gastpass/lib');
    const parts = readdirSync(lib).filter((file) => /-[A-Z0-9]{8}\.js$|\.cjs$/.test(file));
    const script = parts.map((file) => `await import(${JSON.stringify(join(lib, file))});`).join('\n');
    const words = [process.execPath, '--input-type=module', '--eval', script];
    const { status, stderr } = run(words, { cwd, env });
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('with an older Node, one line says what is missing', () => {
    const tools = mkdtempSync(join(folder, 'tools-'));
    writeFileSync(join(tools, 'node'), '#!/bin/sh\necho v20.19.0\n');
    chmodSync(join(tools, 'node'), 0o755);
    const { status, stdout, stderr } = run([gastpass, 'serve'], {
      cwd,
      env: { PATH: `${tools}:/usr/bin:/bin` },
    });
    assert.deepEqual(
      [status, stdout, stderr],
      [1, '', 'gastpass needs Node 24 or newer, found v20.19.0. Put Node 24 or newer on the PATH.\n'],
    );
  });
});

test('npx runs the package without installing it', () => {
  const home = mkdtempSync(join(folder, 'npx-'));
  const words = ['npm', 'exec', '--yes', '--offline', `--package=${tarball}`, '--', 'gastpass', 'version'];
  const { stdout, stderr } = run(words, { cwd: home, env: { PATH, HOME: home } });
  assert.equal(stdout, `${version}\n`, stderr);
});

function filesBelow(place: string): string[] {
  return readdirSync(place, { recursive: true, encoding: 'utf8' }).sort();
}

function sizeOf(place: string): number {
  return filesBelow(place).reduce((sum, path) => sum + statSync(join(place, path)).size, 0);
}
