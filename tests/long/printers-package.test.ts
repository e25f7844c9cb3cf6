// The package in packages/printers: npm packs only JavaScript and type declarations, and the example of its README
// prints what the README says.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeFolder } from '../support/run-gastpass.ts';
import { fetchToolchain } from './install/toolchains.ts';
import { installPacked, type PackedPackage } from './packed-package.ts';

const { folder, remove } = makeFolder();
let packed: PackedPackage;

before(() => {
  packed = installPacked('packages/printers', folder);
});
after(remove);

test('npm pack writes JavaScript, declarations and the README, and nothing else', () => {
  const compiled = packed.modules.flatMap((path) => [`dist/${path}.d.ts`, `dist/${path}.js`]);
  const files = packed.contents.filter((path) => /\.\w+$/.test(path));
  assert.deepEqual(files, ['README.md', ...compiled.sort(), 'package.json']);
});

test('the example of the README runs on Node 20 and prints what the README says', async () => {
  const node20 = await fetchToolchain(folder, { node: '20', npm: '10.8' });
  const [, printed] = /It prints:\n\n```\n(.*?)```/s.exec(packed.readme) ?? [];
  assert.deepEqual(await packed.runExample(node20), { code: 0, output: printed });
});

test('the declarations are complete: a program in TypeScript that uses them compiles', () => {
  const program = `import { type Faults, type Slip, startCloudPrntPrinter, startEpsonPrinter } from 'simulated-receipt-printers';
const faults: Faults = { slow: 100, 'paper-out': true };
const star = startCloudPrntPrinter({ url: 'http://localhost/', everyMs: 1000, paper: 58, faults });
const epson = startEpsonPrinter({ url: 'http://localhost/', out: 'slips' });
epson.setFault('polls-twice');
await epson.poll();
const slips: Slip[] = [...star.slips, ...epson.slips];
console.log(slips.map(({ width, height, ending }) => [width, height, ending]));
await Promise.all([star.stop(), epson.stop()]);
`;
  assert.equal(packed.findTypeErrors(program, ['node']), '');
});
