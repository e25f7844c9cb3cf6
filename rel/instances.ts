// Long run of several instances on one PostgreSQL: shared limits, equal names, kills and restarts. Called by
// `npm run rel -- instances`; the tests run short versions.

import { startPostgres } from '../tests/support/postgres-server.ts';
import { runEqualNames } from './instances/equal-names.ts';
import { type Fleet, startFleet } from './instances/fleet.ts';
import { runKills } from './instances/kills.ts';
import { RECOVERY_MS, runRestart } from './instances/restarts.ts';
import { LIMIT, runSharedLimit } from './instances/shared-limit.ts';

const SIZE = 3;
const LIMIT_AT_ONCE = 2_000;
const ORDERS = 1_000;
const SYNCING = { SYNC_INTERVAL_S: '5' };

export interface LongRun {
  rounds: number;
  seconds: number;
}

/** True if no fault was found. Prints one line per step. */
export async function runInstances({ rounds, seconds }: LongRun): Promise<boolean> {
  const server = await startPostgres();
  process.once('exit', server.stop);
  process.once('SIGINT', () => process.exit(1));
  process.env.TEST_DATABASE_URL = server.url;
  const verdicts: boolean[] = [];
  const tell = (isGood: boolean, text: string) => {
    verdicts.push(isGood);
    console.log(`${isGood ? 'good' : 'BAD '}  ${text}`);
  };

  await withFleet({}, async (fleet) => {
    const tallies = await runSharedLimit(fleet, { rounds, atOnce: LIMIT_AT_ONCE });
    const exact = tallies.filter((tally) => tally[200] === LIMIT && tally[429] === LIMIT_AT_ONCE - LIMIT);
    const odd = tallies.find((tally) => !exact.includes(tally));
    tell(
      !odd,
      `limit ${LIMIT}: exact in ${exact.length} of ${rounds} rounds${odd ? `, else ${JSON.stringify(odd)}` : ''}`,
    );
  });

  for (const kind of ['unifi', 'unifi-classic'] as const)
    await withFleet(SYNCING, async (fleet) => {
      const { answers: responses, faults } = await runEqualNames(fleet, { kind, orders: ORDERS });
      tell(
        responses[201] === ORDERS && faults.length === 0,
        `${ORDERS} equal names on ${kind}: ${JSON.stringify({ answers: responses, faults })}`,
      );
    });

  await withFleet(SYNCING, async (fleet) => {
    const { strange, ...report } = await runKills(fleet, seconds * 1_000);
    const { notListed, faults } = report;
    tell(
      strange.length + notListed + faults.length === 0,
      `kills: ${JSON.stringify({ ...report, strange: strange.slice(0, 5) })}`,
    );
  });

  for (const how of ['crash', 'in order'] as const)
    await withFleet({}, async (fleet) => {
      const { wrong, ...report } = await runRestart(fleet, server, how);
      tell(
        wrong.length === 0 && report.faults.length === 0 && report.recoveredMs <= RECOVERY_MS,
        `restart (${how}): ${JSON.stringify({ ...report, wrong: wrong.slice(0, 5) })}`,
      );
    });
  return verdicts.every(Boolean);
}

async function withFleet(
  environment: Record<string, string>,
  run: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const fleet = await startFleet(SIZE, { environment });
  try {
    await run(fleet);
  } finally {
    await fleet.stop();
  }
}
