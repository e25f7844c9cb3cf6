// Measures whether the service stays fast with many vouchers: lists and creations at 10,000 and at 10,000,000 vouchers
// of one site, on both engines. Takes minutes and gigabytes.

import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { makeTestDatabase } from '../tests/support/postgres.ts';
import { measureLoad, type Request } from './load.ts';
import { creation, list } from './requests.ts';
import { cpuBoundRow, measureInTurns, type Row } from './row.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const FEW = 10_000;
const MANY = 10_000_000;
const ROUND_S = 3;
const SECRET = 'a secret for measurements, long enough';

const COLUMNS = `site_id, code, name, name_order, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
  controller_voucher_id, used_count, created_at_s`;

/** Inserts the vouchers `from` to `to` of site 1, spread over the past. Returns the size of the database in bytes. */
type Fill = (from: number, to: number) => Promise<number>;

interface Engine {
  name: string;
  settings: Record<string, string>;
  fill: Fill;
  discard(): Promise<void>;
}

function sqliteIn(dataDir: string): Engine {
  const path = join(dataDir, 'gastpass.sqlite');
  return {
    name: 'SQLite',
    settings: {},
    async fill(from, to) {
      const file = new DatabaseSync(path);
      file.exec(`pragma synchronous = off;
        with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
        insert into vouchers (${COLUMNS}) select 1, printf('%010d', i), '2026-01-15_Zimmer ' || (i % 500), 'zimmer ' || (i % 500),
          1, 480, 0, 0, 0, 'grown-' || i, 0, 1700000000 + i from n;
        pragma wal_checkpoint(truncate)`);
      file.close();
      return statSync(path).size;
    },
    discard: async () => {},
  };
}

async function postgres(): Promise<Engine> {
  const database = await makeTestDatabase();
  return {
    name: 'PostgreSQL',
    settings: { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET },
    async fill(from, to) {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      await client.query(`insert into vouchers (${COLUMNS}) select 1, lpad(i::text, 10, '0'),
        '2026-01-15_Zimmer ' || (i % 500), 'zimmer ' || (i % 500), 1, 480, 0, 0, 0, 'grown-' || i, 0, 1700000000 + i
        from generate_series(${from}, ${to}) as i`);
      await client.query('vacuum analyze vouchers');
      await client.query('checkpoint');
      const { rows } = await client.query('select pg_database_size(current_database())::float as bytes');
      await client.end();
      return rows[0].bytes;
    },
    discard: database.drop,
  };
}

/** Named after what is measured. */
const LOADS: Record<string, (keyText: string) => Request[]> = {
  list: (keyText) => [list(keyText)],
  'a creation and a list in turns': (keyText) => [creation(keyText), list(keyText)],
  create: (keyText) => [creation(keyText)],
};

type MakeEngine = (dataDir: string) => Promise<Engine>;

/** Starts a service on an installation with the given number of vouchers. */
async function start(makeEngine: MakeEngine, vouchers: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const engine = await makeEngine(dataDir);
  // The inserted vouchers are not on the controller: a sync would mark all of them as missing.
  const service = await startServiceProcess(dataDir, { SYNC_INTERVAL_S: '86400', ...engine.settings });
  const emptyBytes = await engine.fill(1, 2);
  const bytesPerVoucher = ((await engine.fill(3, vouchers)) - emptyBytes) / vouchers;
  return {
    name: engine.name,
    service,
    bytesPerVoucher,
    async stop() {
      await service.stop();
      await engine.discard();
      rmSync(dataDir, { recursive: true });
    },
  };
}

async function compare(makeEngine: MakeEngine): Promise<Row[]> {
  const [few, many] = [await start(makeEngine, FEW), await start(makeEngine, MANY)];
  const rows: Row[] = [];
  for (const [what, requestsOf] of Object.entries(LOADS)) {
    const measure = ({ url, keyText, process }: RunningService) =>
      measureLoad({
        url,
        requests: requestsOf(keyText),
        connections: 32,
        seconds: ROUND_S,
        pid: process.pid,
      });
    const sides = await measureInTurns(
      () => measure(many.service),
      () => measure(few.service),
    );
    rows.push(cpuBoundRow(`${many.name}, ${what}, 10,000,000 vouchers (bare: 10,000)`, sides));
  }
  await few.stop();
  await many.stop();
  const ours = { value: many.bytesPerVoucher };
  return [...rows, { name: `${many.name}, size of a voucher`, unit: 'bytes', ours }];
}

export async function benchGrowth(): Promise<Row[]> {
  return [...(await compare(async (dataDir) => sqliteIn(dataDir))), ...(await compare(postgres))];
}
