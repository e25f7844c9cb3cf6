// Rules of the architecture: which storey may import which, no import cycles, and what only some files may use.

import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { importsOf, isProduct, product, read, root, sources } from './sources.ts';
import { FEATURES, isRule, isStore, nounOf, upwardImports } from './storeys.ts';

const offences = (find: (path: string, imported: string) => boolean) =>
  product.flatMap((source) =>
    importsOf(source)
      .filter((imported) => find(source.path, imported))
      .map((imported) => `${source.path} imports ${imported}`),
  );

test('a storey imports no higher storey, except where the list says that it still does', () => {
  // The list only gets shorter. `bin/node tests/tidy/write-upward-imports.ts` writes it.
  const listed = read('tests/tidy/upward-imports.txt').split('\n').filter(Boolean);
  const found = upwardImports();
  assert.deepEqual(
    found.filter((one) => !listed.includes(one)),
    [],
    'new imports that run upwards',
  );
  assert.deepEqual(
    listed.filter((one) => !found.includes(one)),
    [],
    'imports that are gone: take them off the list',
  );
});

test('each folder of a feature stands in the list of features', () => {
  assert.deepEqual(readdirSync(join(root, 'src/features')).sort(), [...FEATURES].sort());
});

test('src/features.ts lists each feature that has a feature.ts, in the order of the features', () => {
  const declared = FEATURES.filter((name) => existsSync(join(root, `src/features/${name}/feature.ts`)));
  const [, list = ''] = /= \[([\w,\s]*)\]/.exec(read('src/features.ts')) ?? [];
  assert.deepEqual(
    list.split(/[,\s]+/).filter(Boolean),
    declared.map((name) => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())),
  );
});

test('a package imports no file outside the package, and only commands, tests and examples use packages', () => {
  const found = sources.flatMap((source) => {
    const [own] = /^packages\/[^/]+\//.exec(source.path) ?? [];
    if (!own) return [];
    return importsOf(source)
      .filter((imported) => imported.endsWith('.ts') && !imported.startsWith(own))
      .map((imported) => `${source.path} imports ${imported}`);
  });
  assert.deepEqual(found, []);
  const users = offences(
    (path, imported) =>
      path.startsWith('src/') &&
      imported.startsWith('packages/') &&
      !/-commands?\.ts$|^src\/features\/mcp\//.test(path),
  );
  assert.deepEqual(users, []);
});

test('rules import no store, no page and no engine: only rules, values and the interface of controllers', () => {
  const packages = ['node:crypto', 'node:url', 'node:zlib', 'ipaddr.js', 'valibot'];
  const values = /^src\/platform\/(time|text|concurrency|network|secrets|values|log)\/[^/]+\.ts$/;
  const interfaces = [
    'src/kernel/problem.ts',
    'src/kernel/ids.ts',
    'src/kernel/guest-language.ts',
    'src/kernel/controllers/controller.ts',
    'src/kernel/controllers/controller-kind.ts',
    'src/kernel/health/finding.ts',
    'src/platform/leases/leases.ts',
    'src/platform/metrics/metric.ts',
    'src/platform/database/backlogs.ts',
    'src/platform/drawing/jpeg-segments.ts',
  ];
  const others = [
    'src/kernel/messages/channel-kind.ts imports src/kernel/installation.ts',
    'src/kernel/settings/first-steps.ts imports src/kernel/slips/slip.ts',
    'src/features/printers/print-vouchers.ts imports src/kernel/slips/slip.ts',
    'src/kernel/clock-check/settled-clock.ts imports src/kernel/clock-check/clock-check-turn.ts',
  ];
  const rules = product.filter(({ path }) => isRule(path));
  assert.ok(rules.length > 150, `${rules.length} files with rules`);
  const found = offences(
    (path, imported) =>
      isRule(path) &&
      !packages.includes(imported) &&
      !interfaces.includes(imported) &&
      (!values.test(imported) || isStore(imported)) &&
      !isRule(imported),
  );
  assert.deepEqual(found.sort(), others.sort());
});

test('sessions depend on users, users do not depend on sessions', () => {
  const found = offences(
    (path, imported) =>
      nounOf(path) === 'kernel/users' && isRule(path) && imported.startsWith('src/kernel/sessions/'),
  );
  assert.deepEqual(found, []);
});

test('the kit of pages imports no page', () => {
  const found = offences(
    (path, imported) =>
      /^src\/(platform|kernel)\/pages\//.test(path) &&
      /^src\/(kernel|features)\/(?!pages\/).*\/pages\//.test(imported),
  );
  assert.deepEqual(found, []);
});

test('only commands that move data in read the dump of another tool', () => {
  const found = offences(
    (path, imported) =>
      imported.startsWith('src/features/move-in/dump/') && !path.startsWith('src/features/move-in/'),
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
      /^src\/(cli|platform\/cli)\/|-(command|commands|option|options)\.ts$/.test(path) &&
      /\/messages(-\w\w)?\.ts$|-texts-(?!en)\w\w\.ts$/.test(imported),
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
  assert.ok(loaded.has('src/kernel/slips/pdf-printer.ts'));
  assert.deepEqual(
    ['pdfkit', 'fontkit', '@resvg/resvg-wasm'].filter((name) => loaded.has(name)),
    [],
  );
});

test('only stores use SQL, except the simulator for its own file', () => {
  const exceptions = ['src/kernel/controllers/simulator/simulated-vouchers.ts'];
  const outside = (path: string) => !isStore(path) && !exceptions.includes(path);
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

test('only the files that wire the parts together, commands and health checks load stores', () => {
  const wires =
    /^src\/(app|cli)\/|\/feature\.ts$|-(command|commands|option|options|use-case|use-cases)\.ts$|^src\/kernel\/(health\/|installation\.ts$)/;
  const isInterface =
    /^src\/platform\/(leases\/leases|database\/(backlogs|tally-storage-errors|tables\/table-declarations)|secrets\/[\w-]+|backup\/scheduled-backups)\.ts$/;
  const found = offences(
    (path, imported) =>
      path.startsWith('src/') &&
      isStore(imported) &&
      !isStore(path) &&
      !wires.test(path) &&
      !isInterface.test(imported),
  );
  assert.deepEqual(found, []);
});

test('only the configuration layer reads the environment', () => {
  const found = product.filter(
    ({ path, text }) => !path.startsWith('src/platform/config/') && text.includes('process.env'),
  );
  assert.deepEqual(
    found.map(({ path }) => path),
    [],
  );
});
