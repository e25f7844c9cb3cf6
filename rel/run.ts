// `npm run rel -- sim --seeds N`: reliability runs of any length. Ends with 1 when something was found.

import { parseArgs } from 'node:util';
import { runSchedules } from './sim/run-schedules.ts';

const USAGE = `usage: npm run rel -- sim [--seeds N] [--from SEED]
  sim  simulated schedules of creating and settling vouchers (default: 100000, from 1)`;
const SHOWN = 20;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { seeds: { type: 'string' }, from: { type: 'string' } },
});
const count = Number(values.seeds ?? 100_000);
const from = Number(values.from ?? 1);
if (positionals.join(' ') !== 'sim' || !Number.isSafeInteger(count) || !Number.isSafeInteger(from)) {
  console.error(USAGE);
  process.exit(2);
}

const failures = await runSchedules({ from, count });
for (const { seed, faults } of failures.slice(0, SHOWN)) console.log(`seed ${seed}: ${faults.join('; ')}`);
console.log(`${count} schedules, ${failures.length} with something lost, doubled or orphaned`);
process.exitCode = failures.length > 0 ? 1 : 0;
