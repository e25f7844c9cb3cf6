// Two copies of the project give the same packages, byte for byte, in different folders and at different times. A run
// that is interrupted leaves no incomplete package.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyProject } from '../long/install/try-installation.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { inDist, PATH, root, run } from './packed.ts';

const { folder, remove } = makeFolder();
after(remove);

const copy = join(folder, 'copy');

test('another copy of the project gives the same packages and the same bill of materials', () => {
  copyProject(copy);
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  for (const path of Object.keys(packages).filter(isNeededToPack))
    cpSync(join(root, path), join(copy, path), { recursive: true });

  // The package contains only files that git knows.
  for (const words of [
    ['init', '--quiet'],
    ['add', '--all'],
  ])
    assert.equal(run(['git', ...words], { cwd: copy, env: { PATH } }).status, 0);
  // The copy has no history, from which the time of the Debian package comes.
  const time = run(['git', '-c', 'safe.directory=*', '-C', root, 'log', '-1', '--format=%ct'], {
    cwd: root,
    env: { PATH },
  }).stdout.trim();
  for (const words of [['packaging/package.ts'], ['packaging/debian.ts', '--own', '--without-node']]) {
    const env = { PATH, SOURCE_DATE_EPOCH: time };
    const { status, stderr } = run([process.execPath, ...words], { cwd: copy, env });
    assert.equal(status, 0, stderr);
  }
  // As docs/releases.md says.
  cpSync(inDist('SHA256SUMS'), join(folder, 'SHA256SUMS'));
  const compare =
    'cp ../SHA256SUMS dist/published && cd dist && sha256sum --check --ignore-missing published';
  const { status, stdout } = run(['sh', '-c', compare], { cwd: copy, env: { PATH } });
  assert.equal(status, 0, stdout);
  const built = readdirSync(join(copy, 'dist')).filter((name) => /\.(tgz|deb|cdx\.json)$/.test(name));
  assert.deepEqual(stdout.trim().split('\n').sort(), built.map((name) => `${name}: OK`).sort());

  function isNeededToPack(path: string): boolean {
    const isBuilder = /^node_modules\/(@esbuild\/|esbuild$)/.test(path);
    const isContained =
      path.startsWith('node_modules/') && !path.includes('node-linux-') && !packages[path].dev;
    return (isBuilder || isContained) && !packages[path].link && existsSync(join(root, path));
  }
});

test('a run that is killed while it writes a package leaves no incomplete one', () => {
  const killed = (program: string, part: string, ...words: string[]) => {
    const programs = join(folder, program);
    mkdirSync(programs);
    writeFileSync(join(programs, program), `#!/bin/sh\necho part > "${part}"\nkill -9 $PPID\n`, {
      mode: 0o755,
    });
    const env = { PATH: `${programs}:${PATH}`, SOURCE_DATE_EPOCH: '0' };
    const { signal } = run([process.execPath, ...words], { cwd: copy, env });
    assert.equal(signal, 'SIGKILL');
  };
  const dist = join(copy, 'dist');
  killed('dpkg-deb', '$6', 'packaging/debian.ts', '--own', '--without-node');
  const checked = run(['sha256sum', '--check', 'SHA256SUMS'], { cwd: dist, env: { PATH } });
  assert.equal(checked.status, 0, checked.stdout);
  killed('npm', '$5/gastpass.tgz', 'packaging/package.ts');
  assert.deepEqual(readdirSync(dist), ['drafts']);
});
