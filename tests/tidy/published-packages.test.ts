// The packages of packages/: the code in the client's README compiles under strict TypeScript, and all have the licence
// of the project.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../support/run-gastpass.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { folder, remove } = makeFolder();
after(remove);

test('every code block of the README compiles under strict TypeScript', () => {
  const blocks = [...read('packages/client/README.md').matchAll(/```(?:js|ts)\n(.*?)```/gs)];
  const files = blocks.map(([, code = ''], index) => {
    writeFileSync(join(folder, `block-${index}.mts`), code);
    return `block-${index}.mts`;
  });
  assert.ok(files.length > 0);
  const compilerOptions = {
    ...JSON.parse(read('tsconfig.json')).compilerOptions,
    typeRoots: [join(root, 'node_modules/@types')],
    paths: { 'gastpass-client': [join(root, 'packages/client/src/index.ts')] },
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, 'node_modules/.bin/tsc');
  const { status, stdout, stderr } = spawnSync(tsc, ['--project', folder], { encoding: 'utf8' });
  assert.deepEqual([status, stdout, stderr], [0, '', '']);
});

test('the published packages have the licence of the project', () => {
  for (const name of ['client', 'printers', 'unifi-console'])
    assert.equal(read(`packages/${name}/LICENSE`), read('LICENSE'), name);
});
