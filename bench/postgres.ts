// Compares one instance on PostgreSQL with a bare server on `pg`, and two instances with one. When the load generator,
// the database and the instances share two cores, the processor time of the instances shows what more cores would achieve.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTestDatabase } from '../tests/support/postgres.ts';
import { startBarePostgres } from './bare-postgres.ts';
import { creation } from './create.ts';
import { type Measured, measureLoad, type Request } from './load.ts';
import { cpuBoundRow, measureInTurns, type Row } from './row.ts';
import {
  createLimitedKey,
  createVouchers,
  type RunningService,
  startServiceProcess,
} from './start-service.ts';

/** Connections to each instance. */
const CONNECTIONS = 20;
const ROUND_S = 2;
const SECRET = 'a secret for measurements, long enough';

type Target = Pick<RunningService, 'url' | 'process'>;

/** Sends the request to all targets at the same time. */
async function measure(targets: Target[], request: Request): Promise<Measured> {
  const load = { requests: [request], connections: CONNECTIONS, seconds: ROUND_S };
  const measured = await Promise.all(
    targets.map(({ url, process }) => measureLoad({ ...load, url, pid: process.pid })),
  );
  const sum = (field: keyof Measured) => measured.reduce((total, figures) => total + figures[field], 0);
  return { perS: sum('perS'), p99Ms: 0, cpuUs: sum('cpuUs') / targets.length };
}

export async function benchPostgres(): Promise<Row[]> {
  const database = await makeTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const settings = { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET, SYNC_INTERVAL_S: '86400' };
  const one = await startServiceProcess(dataDir, settings);
  const two = await startServiceProcess(dataDir, settings);
  await createVouchers(one, 200);
  const keyText = createLimitedKey(one);
  const create = creation(keyText);
  const list: Request = { path: '/api/vouchers.php?site_id=1', headers: create.headers };
  const shown = await (await fetch(one.url + list.path, { headers: list.headers })).text();
  // The limit counts for a minute and must outlast the measurement, so both sides use keys of their own.
  const keyId = createLimitedKey(one).slice(4, 12);
  const bare = await startBarePostgres({ databaseUrl: database.url, keyId, list: shown });

  const row = async (name: string, request: Request, goal: number) =>
    cpuBoundRow(
      name,
      await measureInTurns(
        () => measure([one], request),
        () => measure([bare], request),
      ),
      { ratio: goal },
    );
  const twoRow = async (name: string, request: Request) =>
    cpuBoundRow(
      name,
      await measureInTurns(
        () => measure([one, two], request),
        () => measure([one], request),
      ),
    );
  const rows = [
    await row('PostgreSQL, list', list, 0.8),
    await row('PostgreSQL, create', create, 0.6),
    await twoRow('PostgreSQL, list, two instances (bare: one)', list),
    await twoRow('PostgreSQL, create, two instances (bare: one)', create),
  ];
  bare.stop();
  await one.stop();
  await two.stop();
  await database.drop();
  rmSync(dataDir, { recursive: true });
  return rows;
}
