// Long run of notifications: a service that is killed again and again, and a receiver that often fails. Called by
// `npm run rel -- webhook`; the tests run a short version.

import { makeTestDatabase } from '../../tests/support/postgres.ts';
import { makeFolder } from '../../tests/support/run-gastpass.ts';
import { type KilledServiceOptions, runKilledService } from './killed-service.ts';

const SECRET = 'a secret for the long run of notifications';
const LEASE_RUNS_OUT_EVERY = 4;
const SHOWN = 20;

type LongRun = Pick<KilledServiceOptions, 'events' | 'kills' | 'seed'> & { onPostgres: boolean };

/** True if no fault was found. */
export async function runWebhook({ onPostgres, ...input }: LongRun): Promise<boolean> {
  const { folder, remove } = makeFolder();
  const database = onPostgres ? await makeTestDatabase() : undefined;
  const settings = {
    DATA_DIR: folder,
    ...(database && { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET }),
  };
  try {
    const report = await runKilledService({ ...input, settings, leaseRunsOutEvery: LEASE_RUNS_OUT_EVERY });
    const { accepted, arrivals, refused, hung, repeats, kills, seconds, faults } = report;
    console.log(
      `${accepted} of ${input.events} events in ${seconds} s on ${onPostgres ? 'PostgreSQL' : 'SQLite'}, seed ${input.seed}: ` +
        `${arrivals} requests, ${refused} refused, ${hung} hung, ${repeats} repeated, ${kills} kills`,
    );
    for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
    console.log(
      faults.length === 0
        ? 'good  every event arrived, in order, rightly signed; nothing waits'
        : `BAD   ${faults.length} faults`,
    );
    return faults.length === 0;
  } finally {
    await database?.drop();
    remove();
  }
}
