// The package in packages/unifi-console: npm packs only JavaScript and type declarations, and the example of its README
// prints what the README says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFolder } from '../support/run-gastpass.ts';
import { fetchToolchain } from './install/toolchains.ts';
import { installPacked, type PackedPackage } from './packed-package.ts';

const { folder, remove } = makeFolder();
let packed: PackedPackage;

before(() => {
  packed = installPacked('packages/unifi-console', folder);
});
after(remove);

test('npm pack writes JavaScript, declarations and the README, and nothing else', () => {
  const compiled = packed.modules.flatMap((path) => [`dist/${path}.d.ts`, `dist/${path}.js`]);
  assert.ok(compiled.includes('dist/faults/fault-list.js'));
  const files = packed.contents.filter((path) => /\.\w+$/.test(path));
  assert.deepEqual(files, ['README.md', ...compiled.sort(), 'package.json']);
});

test('the example of the README runs on Node 20 and prints what the README says', async () => {
  const node20 = await fetchToolchain(folder, { node: '20', npm: '10.8' });
  assert.match(node20.exact.node, /^20\./);
  const [, printed] = /It prints:\n\n```\n(.*?)```/s.exec(packed.readme) ?? [];
  assert.deepEqual(await packed.runExample(node20), { code: 0, output: printed });
});

test('the declarations are complete: a program in TypeScript that uses them compiles', () => {
  const program = `import { type Fault, FAULT_KINDS, startSimulatedConsole } from 'simulated-unifi-console';
const unifi = await startSimulatedConsole({ flavour: 'unifi-classic', clock: () => 0, strictCsrf: false });
const fault: Fault = { match: 'create', kind: 'late-creation', ms: 30_000, ending: 'hang' };
const id: number = unifi.controls.setFault(fault);
const pending: number = unifi.controls.counters().vouchersPending;
const codes: string[] = unifi.controls.vouchers('default').map(({ code }) => code);
console.log(FAULT_KINDS.length, id, pending, codes);
await unifi.stop();
`;
  assert.equal(packed.findTypeErrors(program, ['node']), '');
});
