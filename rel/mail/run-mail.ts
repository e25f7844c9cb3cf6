// Long run of mails: instances that are killed again and again, and a mail server that often fails. Called by `npm run
// rel
// -- mail`; the tests run a short version.

import { makeTestDatabase } from '../../tests/support/postgres.ts';
import { makeFolder } from '../../tests/support/run-gastpass.ts';
import { type KilledSendersOptions, runKilledSenders } from './killed-senders.ts';

const SECRET = 'a secret for the long run of mails';
const SHOWN = 20;

type LongRun = Pick<KilledSendersOptions, 'mails' | 'kills' | 'seed'> & { onSqlite: boolean };

/** Two instances on PostgreSQL, or one on SQLite. True if no fault was found. */
export async function runMail({ onSqlite, ...input }: LongRun): Promise<boolean> {
  const { folder, remove } = makeFolder();
  const database = onSqlite ? undefined : await makeTestDatabase();
  const settings = {
    DATA_DIR: folder,
    ...(database && { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET }),
  };
  try {
    const report = await runKilledSenders({ ...input, settings, instances: onSqlite ? 1 : 2 });
    const { faults, failures, ...counts } = report;
    console.log(
      `${input.mails} orders with mails in ${counts.seconds} s on ${onSqlite ? 'SQLite' : 'PostgreSQL, two instances'}, seed ${input.seed}:`,
    );
    console.table({ ...counts, ...failures });
    for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
    console.log(
      faults.length === 0
        ? 'good  every valid voucher was mailed, repeats have the same Message-ID, none was mailed after its end; nothing waits'
        : `BAD   ${faults.length} faults`,
    );
    return faults.length === 0;
  } finally {
    await database?.drop();
    remove();
  }
}
