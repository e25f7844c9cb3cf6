// Compares one instance on PostgreSQL with a bare server on `pg`, and two instances with one. When the load generator,
// the database and the instances share two cores, the processor time of the instances shows what more cores would
// achieve. Rows of their own also count the processor time of the database server.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTestDatabase, type TestDatabase } from '../tests/support/postgres.ts';
import { startBarePostgres } from './bare-postgres.ts';
import { type Load, type Measured, measureLoad, type Request, type StartedLoad } from './load.ts';
import { familyCpuMs } from './processor-time.ts';
import { creation, list } from './requests.ts';
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

const loadOf = ({ url, process }: Target, request: Request, alsoMs: Load['alsoMs'] = () => 0) => ({
  url,
  pid: process.pid,
  alsoMs,
  requests: [request],
  connections: CONNECTIONS,
});

/** Sends the request to all targets at the same time. */
async function measure(targets: Target[], request: Request): Promise<Measured> {
  const measured = await Promise.all(
    targets.map((target) => measureLoad({ ...loadOf(target, request), seconds: ROUND_S })),
  );
  const sum = (field: keyof Measured) => measured.reduce((total, figures) => total + figures[field], 0);
  return { perS: sum('perS'), p99Ms: 0, cpuUs: sum('cpuUs') / targets.length };
}

/** Starts `count` instances on one new database. */
async function startInstances(count: number) {
  const database = await makeTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const settings = { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET, SYNC_INTERVAL_S: '86400' };
  const one = await startServiceProcess(dataDir, settings);
  await createVouchers(one, 200);
  const others: RunningService[] = [];
  while (others.length < count - 1) others.push(await startServiceProcess(dataDir, settings));
  return {
    one,
    others,
    database,
    async stop(): Promise<void> {
      for (const service of [one, ...others]) await service.stop();
      await database.drop();
      rmSync(dataDir, { recursive: true });
    },
  };
}

/** Returns a function that tells how much processor time the server has used so far. */
async function watchServer(database: TestDatabase): Promise<() => number> {
  const [row] = await database.rows('show data_directory');
  const [pid] = readFileSync(join(String(row?.data_directory), 'postmaster.pid'), 'utf8').split('\n');
  return () => familyCpuMs(Number(pid));
}

/** Counts the processor time of the instance and of the server. */
export async function startCreationsOnPostgres(): Promise<StartedLoad> {
  const { one, database, stop } = await startInstances(1);
  const alsoMs = await watchServer(database);
  return { load: loadOf(one, creation(createLimitedKey(one)), alsoMs), stop };
}

export async function benchPostgres(): Promise<Row[]> {
  const { one, others, database, stop } = await startInstances(2);
  const keyText = createLimitedKey(one);
  const [read, create] = [list(keyText), creation(keyText)];
  const shown = await (await fetch(one.url + read.path, { headers: read.headers })).text();
  // The limit counts for a minute and must outlast the measurement, so both sides use keys of their own.
  const keyId = createLimitedKey(one).slice(4, 12);
  const bare = await startBarePostgres({ databaseUrl: database.url, keyId, list: shown });
  const alsoMs = await watchServer(database);

  const row = async (name: string, request: Request, goal?: Row['goal']) =>
    cpuBoundRow(
      name,
      await measureInTurns(
        () => measure([one], request),
        () => measure([bare], request),
      ),
      goal,
    );
  const rowWithServer = async (name: string, request: Request, goal?: Row['goal']) =>
    cpuBoundRow(
      `${name}, with the time of the server`,
      await measureInTurns(
        () => measureLoad({ ...loadOf(one, request, alsoMs), seconds: ROUND_S }),
        () => measureLoad({ ...loadOf(bare, request, alsoMs), seconds: ROUND_S }),
      ),
      goal,
    );
  const twoRow = async (name: string, request: Request) =>
    cpuBoundRow(
      `${name}, two instances (bare: one)`,
      await measureInTurns(
        () => measure([one, ...others], request),
        () => measure([one], request),
      ),
    );
  const rows = [
    await row('PostgreSQL, list', read, { ratio: 0.8 }),
    await rowWithServer('PostgreSQL, list', read),
    await row('PostgreSQL, create', create),
    await rowWithServer('PostgreSQL, create', create, { cpuAtMost: 2_200 }),
    await twoRow('PostgreSQL, list', read),
    await twoRow('PostgreSQL, create', create),
  ];
  bare.stop();
  await stop();
  return rows;
}
