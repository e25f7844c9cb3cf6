// The package in packages/client: npm packs only JavaScript and type declarations, and the example of its README runs
// with the packed files on Node 20, without the sources and without any other package.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { fetchToolchain, run, type Toolchain } from './install/toolchains.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { folder, remove } = makeFolder();
const project = join(folder, 'project');
const user = join(folder, 'user');
let service: TestService;
let node20: Toolchain;

before(async () => {
  // A copy, so that nothing is written into the project.
  for (const part of ['packages/client', 'tsconfig.json', 'package.json', '.npmrc'])
    cpSync(join(root, part), join(project, part), {
      recursive: true,
      filter: (path) => !path.endsWith('/dist'),
    });
  symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
  mkdirSync(user);
  [service, node20] = await Promise.all([
    startTestService(),
    fetchToolchain(folder, { node: '20', npm: '10.8' }),
  ]);
});
after(async () => {
  await service.stop();
  remove();
});

test('npm pack writes JavaScript, declarations and the README, and nothing else', () => {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts=false', '--pack-destination', user], {
    cwd: join(project, 'packages/client'),
    encoding: 'utf8',
  });
  const [file = ''] = packed.match(/gastpass-client-[\d.]+\.tgz/) ?? [];
  execFileSync('tar', ['xzf', join(user, file), '-C', user]);
  const files = readdirSync(join(user, 'package'), { recursive: true }).map(String).sort();
  const modules = ['gastpass-client', 'gastpass-error', 'index'].flatMap((name) => [
    `dist/${name}.d.ts`,
    `dist/${name}.js`,
  ]);
  assert.deepEqual(files, ['README.md', 'dist', ...modules, 'package.json']);
  mkdirSync(join(user, 'node_modules'));
  cpSync(join(user, 'package'), join(user, 'node_modules/gastpass-client'), { recursive: true });
});

const readme = readFileSync(join(root, 'packages/client/README.md'), 'utf8');

async function runExample(key: string) {
  const [, code = ''] = /```js\n(.*?)```/s.exec(readme) ?? [];
  writeFileSync(join(user, 'example.mjs'), code);
  return run(['node', 'example.mjs'], {
    cwd: user,
    env: { ...node20.env, GASTPASS_URL: service.api, GASTPASS_KEY: key },
    timeoutMs: 60_000,
  });
}

test('the example of the README creates, lists and revokes a voucher on Node 20', async () => {
  assert.match(node20.exact.node, /^20\./);
  const { code, output } = await runExample(service.keyText);
  assert.equal(code, 0, output);
  assert.match(output, /^Created (\d{5}-\d{5}) for Demo\n\d{10} valid\nRevoked \1\n$/);
});

test('the example reports a refusal and exits with 1', async () => {
  const { code, output } = await runExample('gpk_wrong');
  assert.equal(code, 1);
  assert.match(output, /^401 unauthorized: Gültiger API-Schlüssel .* \(request [\w-]+\)\n$/);
});

test('the declarations are complete: a program in TypeScript that uses them compiles', () => {
  const program = `import { GastpassError, makeGastpassClient, type Voucher } from 'gastpass-client';
const client = makeGastpassClient({ url: 'https://wifi.example.org/api', key: 'x' });
const vouchers: Voucher[] = await client.listVouchers(1);
const status: 'valid' | 'used' | 'expired' | undefined = vouchers[0]?.status;
console.log(status, new GastpassError('', { code: 'not_found' }).code === 'not_found');
`;
  writeFileSync(join(user, 'program.mts'), program);
  const tsc = join(root, 'node_modules/.bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2023,dom', '--types', ''];
  const { status, stdout } = spawnSync(tsc, [...options, 'program.mts'], { cwd: user, encoding: 'utf8' });
  assert.equal(status, 0, stdout);
});
