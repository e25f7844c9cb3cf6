// `npm run rel -- sim` and `npm run rel -- instances`: reliability runs of any length. Ends with 1 when
// something was found.

import { parseArgs } from 'node:util';

const USAGE = `usage: npm run rel -- sim [--seeds N] [--from SEED]
       npm run rel -- instances [--rounds N] [--seconds N]
  sim        simulated schedules of creating and settling vouchers (default: 100000, from 1)
  instances  three instances on one PostgreSQL: rounds on a key with a limit (default: 100), orders with equal
             names, seconds of kills (default: 60), restarts of the database`;
const SHOWN = 20;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '100000' },
    from: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '60' },
  },
});
const { seeds, from, rounds, seconds } = values;
const numbers = {
  count: Number(seeds),
  from: Number(from),
  rounds: Number(rounds),
  seconds: Number(seconds),
};
const run = Object.values(numbers).every(Number.isSafeInteger) && positionals.join(' ');

if (run === 'sim') await simulate(numbers);
else if (run === 'instances') await serve(numbers);
else {
  console.error(USAGE);
  process.exitCode = 2;
}

async function simulate({ count, from }: typeof numbers): Promise<void> {
  const { runSchedules } = await import('./sim/run-schedules.ts');
  const failures = await runSchedules({ from, count });
  for (const { seed, faults } of failures.slice(0, SHOWN)) console.log(`seed ${seed}: ${faults.join('; ')}`);
  console.log(`${count} schedules, ${failures.length} with something lost, doubled or orphaned`);
  process.exitCode = failures.length > 0 ? 1 : 0;
}

async function serve({ rounds, seconds }: typeof numbers): Promise<void> {
  const { runInstances } = await import('./instances.ts');
  process.exit((await runInstances({ rounds, seconds })) ? 0 : 1);
}
