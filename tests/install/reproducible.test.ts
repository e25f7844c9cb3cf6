// Two copies of the project give the same packages, byte for byte, in different folders and at different times.

import assert from 'node:assert/strict';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { copyProject } from '../long/install/try-installation.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { inDist, PATH, root, run } from './packed.ts';

const { folder, remove } = makeFolder();
after(remove);

test('another copy of the project gives the same packages and the same bill of materials', () => {
  const copy = join(folder, 'copy');
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
  const sumsOf = (path: string) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => !/-node_|-container-/.test(line));
  assert.deepEqual(sumsOf(join(copy, 'dist/SHA256SUMS')), sumsOf(inDist('SHA256SUMS')));

  function isNeededToPack(path: string): boolean {
    const isBuilder = /^node_modules\/(@esbuild\/|esbuild$)/.test(path);
    const isContained =
      path.startsWith('node_modules/') && !path.includes('node-linux-') && !packages[path].dev;
    return (isBuilder || isContained) && !packages[path].link && existsSync(join(root, path));
  }
});
