// Measures whether the service stays fast with many vouchers: lists and creations at 10,000 and at 10,000,000 vouchers
// of one site, on both engines. Takes minutes and gigabytes; writes GROWTH.md.

import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import autocannon from 'autocannon';
import pg from 'pg';
import { makeTestDatabase } from '../tests/support/postgres.ts';
import { median } from './median.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const FEW = 10_000;
const MANY = Number(process.env.VOUCHERS ?? 10_000_000);
const ROUNDS = 5;
const ROUND_S = 3;
const SECRET = 'a secret for measurements, long enough';

const COLUMNS = `site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
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
        insert into vouchers (${COLUMNS}) select 1, printf('%010d', i), '2026-01-15_Zimmer ' || (i % 500),
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
        '2026-01-15_Zimmer ' || (i % 500), 1, 480, 0, 0, 0, 'grown-' || i, 0, 1700000000 + i
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

/** Requests per second: lists from memory, creations and lists in turns, and creations. */
async function measure({ url, keyText }: RunningService) {
  const headers = { authorization: `Bearer ${keyText}` };
  const list = { method: 'GET' as const, path: '/api/vouchers.php?site_id=1', headers };
  const body = JSON.stringify({ site_id: 1, name: 'Zimmer 12' });
  const create = { method: 'POST' as const, path: '/api/vouchers.php', headers, body };
  const run = async (requests: (typeof list | typeof create)[], connections: number) => {
    const result = await autocannon({ url, requests, connections, duration: ROUND_S });
    if (result.non2xx + result.errors > 0)
      throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
    return result.requests.total / result.duration;
  };
  return {
    lists: await run([list], 10),
    changedLists: await run([create, list], 10),
    creates: await run([create], 50),
  };
}

type MakeEngine = (dataDir: string) => Promise<Engine>;
type Figures = Awaited<ReturnType<typeof measure>>;

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

/** Rounds alternate between the small and the large installation. */
async function compare(makeEngine: MakeEngine): Promise<string> {
  const [few, many] = [await start(makeEngine, FEW), await start(makeEngine, MANY)];
  const figures: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    const [small, large] = [await measure(few.service), await measure(many.service)];
    // The first round is a warm-up.
    if (round === 0) continue;
    figures[0].push(small);
    figures[1].push(large);
  }
  await few.stop();
  await many.stop();

  const number = (value: number) => Math.round(value).toLocaleString('en');
  const row = (what: string, name: keyof Figures) => {
    const [small, large] = figures.map((rounds) => median(rounds.map((round) => round[name])));
    const ratio = (small ?? 0) / (large ?? 1);
    return `| ${many.name} | ${what} | ${number(small ?? 0)}/s | ${number(large ?? 0)}/s | ${ratio.toFixed(2)} |`;
  };
  return [
    row('list, from memory', 'lists'),
    row('a creation and a list in turns', 'changedLists'),
    row('creation, 50 connections', 'creates'),
    `| ${many.name} | bytes per voucher | | ${number(many.bytesPerVoucher)} | |`,
  ].join('\n');
}

const tables = [await compare(async (dataDir) => sqliteIn(dataDir)), await compare(postgres)];
const text = `# Growth

Made by \`node bench/growth.ts\` on ${new Date().toISOString().slice(0, 10)}: one site, one service, load generator and (for the second half)
PostgreSQL without sync to disk on the same ${process.arch} machine. A ratio of 1 means that it does not get slower; medians of ${ROUNDS} rounds.

| engine | what | at ${FEW.toLocaleString('en')} vouchers | at ${MANY.toLocaleString('en')} | ratio |
|---|---|---|---|---|
${tables.join('\n')}
`;
writeFileSync(new URL('GROWTH.md', import.meta.url), text);
console.log(text);
