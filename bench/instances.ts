// Compares one instance with two instances on one PostgreSQL: lists and creations per second, and the processor time of
// the instances for each request. Rounds alternate. When the load generator, the database and the instances share two
// cores, the processor time shows what more cores would achieve.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { makeTestDatabase } from '../tests/support/postgres.ts';
import { median } from './median.ts';
import { cpuMs } from './processor-time.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

/** Connections to each instance. */
const CONNECTIONS = 20;
const ROUNDS = 5;
const ROUND_S = 3;
const SECRET = 'a secret for measurements, long enough';

interface Round {
  perS: number;
  /** Processor time of all instances together for one response. */
  cpuUs: number;
}

type Ask = Pick<autocannon.Options, 'method' | 'headers' | 'body'> & { path: string };

async function measure(instances: RunningService[], ask: Ask): Promise<Round> {
  const used = () => instances.reduce((sum, { process }) => sum + cpuMs(process.pid), 0);
  const before = used();
  const results = await Promise.all(
    instances.map(({ url }) =>
      autocannon({
        ...ask,
        url: url + ask.path,
        connections: CONNECTIONS,
        duration: ROUND_S,
      }),
    ),
  );
  const refused = results.reduce((sum, { non2xx, errors }) => sum + non2xx + errors, 0);
  if (refused > 0) throw new Error(`${refused} requests failed`);
  const answers = results.reduce((sum, { requests }) => sum + requests.total, 0);
  return { perS: answers / ROUND_S, cpuUs: ((used() - before) * 1000) / answers };
}

export async function benchInstances() {
  const database = await makeTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const settings = { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET, SYNC_INTERVAL_S: '86400' };
  const first = await startServiceProcess(dataDir, settings);
  const both = [first, await startServiceProcess(dataDir, settings)];
  const headers = { authorization: `Bearer ${first.keyText}` };
  const path = '/api/vouchers.php';
  const list: Ask = { path: `${path}?site_id=1`, headers };
  const create: Ask = {
    path,
    headers,
    method: 'POST',
    body: JSON.stringify({ site_id: 1, name: 'Zimmer 12' }),
  };

  const rounds: Record<'listOne' | 'listTwo' | 'createOne' | 'createTwo', Round[]> = {
    listOne: [],
    listTwo: [],
    createOne: [],
    createTwo: [],
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      createOne: await measure([first], create),
      createTwo: await measure(both, create),
      listOne: await measure([first], list),
      listTwo: await measure(both, list),
    };
    // The first round is a warm-up.
    if (round === 0) continue;
    rounds.listOne.push(measured.listOne);
    rounds.listTwo.push(measured.listTwo);
    rounds.createOne.push(measured.createOne);
    rounds.createTwo.push(measured.createTwo);
  }
  for (const instance of both) await instance.stop();
  await database.drop();
  rmSync(dataDir, { recursive: true });

  const middle = (side: Round[]): Round => ({
    perS: median(side.map(({ perS }) => perS)),
    cpuUs: median(side.map(({ cpuUs }) => cpuUs)),
  });
  return {
    listOne: middle(rounds.listOne),
    listTwo: middle(rounds.listTwo),
    createOne: middle(rounds.createOne),
    createTwo: middle(rounds.createTwo),
  };
}

if (import.meta.main) console.log(await benchInstances());
