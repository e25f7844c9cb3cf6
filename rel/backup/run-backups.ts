// Long run of backups under load, on both engines. Called by `npm run rel -- backup`; the tests run a short version.

import { startPostgres } from '../../tests/support/postgres-server.ts';
import { runBackupsUnderLoad } from './backups-under-load.ts';

const SHOWN = 20;
const SAID_EVERY = 10;

/** True if no fault was found. */
export async function runBackups({ count }: { count: number }): Promise<boolean> {
  const server = await startPostgres();
  process.once('exit', server.stop);
  process.once('SIGINT', () => process.exit(1));
  process.env.TEST_DATABASE_URL = server.url;
  let isGood = true;
  for (const source of ['sqlite', 'postgres'] as const) {
    const { faults, ...report } = await runBackupsUnderLoad({
      count,
      source,
      targets: ['sqlite', 'postgres'],
      onBackup: (done) => done % SAID_EVERY === 0 && console.log(`${source}: ${done} of ${count}`),
    });
    for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
    console.log(`${faults.length === 0 ? 'good' : 'BAD '}  ${source}: ${JSON.stringify(report)}`);
    isGood &&= faults.length === 0;
  }
  return isGood;
}
