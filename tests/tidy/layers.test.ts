// Rules of the architecture: which layer may import which, no import cycles, and what only one layer may use.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importsOf, isProduct, product, sources } from './sources.ts';

const mayImport: Record<string, string[]> = {
  domain: [],
  config: ['domain'],
  storage: ['domain'],
  controllers: ['domain'],
  channels: ['domain', 'i18n', 'print'],
  oidc: ['domain'],
  'move-in': ['domain'],
  passwords: [],
  http: ['domain'],
  print: ['domain', 'i18n'],
  i18n: ['domain'],
  web: ['domain', 'http', 'i18n', 'print'],
  workers: ['domain'],
  observe: ['domain'],
  app: [
    'config',
    'domain',
    'storage',
    'controllers',
    'channels',
    'oidc',
    'move-in',
    'passwords',
    'http',
    'print',
    'web',
    'workers',
    'observe',
  ],
  'unifi-console': [],
  printers: [],
  cli: ['app', 'client', 'config', 'controllers', 'domain', 'i18n', 'mcp', 'printers', 'unifi-console'],
  client: [],
  mcp: ['client', 'http'],
  main: ['cli'],
};

/**
 * `src/http/server.ts` belongs to the layer `http`, `packages/client/src/index.ts` to the layer `client`; `src/main.ts` is a
 * layer of its own.
 */
function roomOf(path: string): string {
  return (
    path
      .replace(/^(src|packages)\//, '')
      .replace(/\.ts$/, '')
      .split('/')[0] ?? ''
  );
}

const offences = (find: (path: string, imported: string) => boolean) =>
  product.flatMap((source) =>
    importsOf(source)
      .filter((imported) => find(source.path, imported))
      .map((imported) => `${source.path} imports ${imported}`),
  );

test('a layer imports only the layers it may depend on', () => {
  const found = offences((path, imported) => {
    if (!isProduct(imported)) return false;
    const [from, to] = [roomOf(path), roomOf(imported)];
    return from !== to && !mayImport[from]?.includes(to);
  });
  assert.deepEqual(found, []);
});

test('a package and its tests import no file outside the package', () => {
  const found = sources.flatMap((source) => {
    const [own] = /^packages\/[^/]+\//.exec(source.path) ?? [];
    if (!own) return [];
    return importsOf(source)
      .filter((imported) => imported.endsWith('.ts') && !imported.startsWith(own))
      .map((imported) => `${source.path} imports ${imported}`);
  });
  assert.deepEqual(found, []);
});

test('the domain imports only packages for cryptography, checksums, IP addresses, domain names and decoding', () => {
  const allowed = ['node:crypto', 'node:url', 'node:zlib', 'ipaddr.js', 'valibot'];
  const found = offences(
    (path, imported) =>
      roomOf(path) === 'domain' && !imported.startsWith('src/') && !allowed.includes(imported),
  );
  assert.deepEqual(found, []);
});

test('sessions depend on users, users do not depend on sessions', () => {
  const found = offences(
    (path, imported) => path.startsWith('src/domain/users/') && imported.startsWith('src/domain/sessions/'),
  );
  assert.deepEqual(found, []);
});

test('the handling of requests and the components of pages import no page', () => {
  const found = offences(
    (path, imported) => /^src\/web\/(http|ui)\//.test(path) && imported.startsWith('src/web/pages/'),
  );
  assert.deepEqual(found, []);
});

test('only commands that move data in read the dump of another tool', () => {
  const found = offences(
    (path, imported) =>
      roomOf(path) !== 'move-in' && roomOf(imported) === 'move-in' && path !== 'src/app/maintenance.ts',
  );
  assert.deepEqual(found, []);
});

test('dependencies are passed by name: the installation object is never spread', () => {
  const found = product.filter(({ text }) => /\.\.\.installation\b/.test(text)).map(({ path }) => path);
  assert.deepEqual(found, []);
});

test('commands load the English texts that they print, not the messages of all pages and languages', () => {
  const found = offences(
    (path, imported) =>
      roomOf(path) === 'cli' && /^src\/i18n\/(messages\.ts|(?!en\/)\w+\/|en\/messages)/.test(imported),
  );
  assert.deepEqual(found, []);
});

test('there are no import cycles', () => {
  const graph = new Map(product.map((source) => [source.path, importsOf(source).filter(isProduct)]));
  const done = new Set<string>();
  function walk(path: string, trail: string[]): void {
    assert.ok(!trail.includes(path), `cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`);
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) walk(path, []);
});

test('the service does not load the packages that only the thread that prints needs', () => {
  const graph = new Map(product.map((source) => [source.path, importsOf(source)]));
  const loaded = new Set(['src/main.ts']);
  for (const path of loaded) for (const next of graph.get(path) ?? []) loaded.add(next);
  assert.ok(loaded.has('src/print/pdf-printer.ts'));
  assert.deepEqual(
    ['pdfkit', 'fontkit', '@resvg/resvg-wasm'].filter((name) => loaded.has(name)),
    [],
  );
});

test('only the storage layer uses SQL, except the simulator for its own file', () => {
  const exceptions = ['src/controllers/simulator/simulated-vouchers.ts'];
  const outside = (path: string) => roomOf(path) !== 'storage' && !exceptions.includes(path);
  const found = offences(
    (path, imported) => outside(path) && ['kysely', 'node:sqlite', 'pg'].includes(imported),
  );
  assert.deepEqual(found, []);
  const statements =
    /['"`]\s*(select .+ from|insert into|update \w+ set|delete from|create (table|index)|pragma) /i;
  assert.deepEqual(
    product.filter(({ path, text }) => outside(path) && statements.test(text)).map(({ path }) => path),
    [],
  );
});

test('only the configuration layer reads the environment', () => {
  const found = product.filter(({ path, text }) => roomOf(path) !== 'config' && text.includes('process.env'));
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
  );
});
