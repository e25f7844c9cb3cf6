// The package in packages/client: npm packs only JavaScript and type declarations, and the example of its README works.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { fetchToolchain, type Toolchain } from './install/toolchains.ts';
import { installPacked, type PackedPackage } from './packed-package.ts';

const { folder, remove } = makeFolder();
let packed: PackedPackage;
let service: TestService;
let node20: Toolchain;

before(async () => {
  packed = installPacked('packages/client', folder);
  [service, node20] = await Promise.all([
    startTestService(),
    fetchToolchain(folder, { node: '20', npm: '10.8' }),
  ]);
});
after(async () => {
  await service.stop();
  remove();
});

test('npm pack writes JavaScript, declarations, the README and the licence, and nothing else', () => {
  const modules = ['gastpass-client', 'gastpass-error', 'index', 'retry', 'send', 'types'].flatMap((name) => [
    `dist/${name}.d.ts`,
    `dist/${name}.js`,
  ]);
  assert.deepEqual(packed.contents, ['LICENSE', 'README.md', 'dist', ...modules, 'package.json']);
});

function runExample(key: string) {
  return packed.runExample(node20, { GASTPASS_URL: service.api, GASTPASS_KEY: key });
}

test('the example of the README creates, lists and revokes a voucher on Node 20', async () => {
  assert.match(node20.exact.node, /^20\./);
  const { code, output } = await runExample(service.keyText);
  assert.equal(code, 0, output);
  assert.match(output, /^Created \d{5}-\d{5}, ends at \S+Z\nVoucher 1 is unused\nRevoked\n$/);
});

test('the example reports a refusal and exits with 1', async () => {
  const { code, output } = await runExample('gpk_wrong');
  assert.equal(code, 1);
  assert.match(output, /^401 unauthorized: A valid API key is required: .* \(request [\w-]+\)\n$/);
});

test('the declarations are complete: a program in TypeScript that uses them compiles', () => {
  const program = `import { GastpassError, makeGastpassClient, type Voucher } from 'gastpass-client';
const client = makeGastpassClient({ url: 'https://wifi.example.org/api', key: 'x' });
const vouchers: Voucher[] = (await client.listVouchers({ status: 'unused' })).vouchers;
for await (const { status } of client.eachVoucher()) console.log(status === 'used-up', vouchers.length);
console.log(new GastpassError('', { code: 'no-answer' }).code === 'voucher-not-found');
`;
  assert.equal(packed.findTypeErrors(program, []), '');
});
