// `bin/node bench/compare.ts OTHER [name ...]` compares the processor time per request of this clone with that of
// another one, for example of an earlier commit. Both run at the same time and are loaded in turns, so that other work
// on the machine disturbs both equally. With names, only the loads run whose names contain one of them.

import { parseArgs } from 'node:util';
import { startCreationsOnConsole } from './controllers.ts';
import { startCreations } from './create.ts';
import { measureLoad, type StartedLoad } from './load.ts';
import { startMixture, startPolled } from './mix.ts';
import { startPage } from './page-cost.ts';
import { startCreationsOnPostgres } from './postgres.ts';
import { startRead } from './reads.ts';
import { measureInTurns } from './row.ts';
import { rootFolder } from './start-service.ts';

const LOADS: Record<string, () => Promise<StartedLoad>> = {
  'list of 200, key with a limit': () => startRead('list of 200, key with a limit'),
  '401, wrong key': () => startRead('401, wrong key'),
  'create, simulator, 1 at once': () => startCreations(1),
  'create, simulator, 32 at once': () => startCreations(32),
  'create, unifi, console takes 50 ms': () => startCreationsOnConsole(50),
  'create, PostgreSQL, with the time of the server': startCreationsOnPostgres,
  'mix, 90 % lists, 9 % creations, 1 % pages': startMixture,
  'mix, 300 sites polled, 5 % creations': startPolled,
  'page, list of vouchers': () => startPage('list of vouchers'),
  'page, overview': () => startPage('overview'),
};

const { positionals, values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const [other, ...names] = positionals;
if (!other) throw new Error('usage: bin/node bench/compare.ts OTHER [name ...]');
const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];

const own = rootFolder();

function startIn(root: string, start: () => Promise<StartedLoad>): Promise<StartedLoad> {
  process.env.BENCH_ROOT = root;
  return start();
}

console.log('| load | other | this | this / other |\n|---|---:|---:|---:|');
for (const [name, start] of Object.entries(LOADS)) {
  if (names.length > 0 && !names.some((part) => name.includes(part))) continue;
  const [mine, theirs] = [await startIn(own, start), await startIn(other, start)];
  const { ours, bare } = await measureInTurns(
    () => measureLoad({ ...mine.load, seconds }),
    () => measureLoad({ ...theirs.load, seconds }),
    rounds,
  );
  await mine.stop();
  await theirs.stop();
  const cells = [
    name,
    `${bare.cpuUs.toFixed(0)} µs`,
    `${ours.cpuUs.toFixed(0)} µs`,
    (ours.cpuUs / bare.cpuUs).toFixed(3),
  ];
  console.log(`| ${cells.join(' | ')} |`);
}
