// Measures the load time and the size of the pages that users load most often, with 1,000,000 vouchers from two years
// on 10 sites, on both engines. Takes minutes; writes PAGES.md.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { BLOCK_SIZE } from '../src/kernel/vouchers/storage/search-parts.ts';
import { makeTestDatabase } from '../tests/support/postgres.ts';
import { loginToService } from './login.ts';
import { median } from './median.ts';
import { cpuMs } from './processor-time.ts';
import { startServiceProcess } from './start-service.ts';

const VOUCHERS = Number(process.env.VOUCHERS ?? 1_000_000);
const SITES = 10;
const ONE_EVERY_S = Math.floor((2 * 365 * 24 * 60 * 60) / VOUCHERS);
const VISITS = 100;
const WARM_UP = 5;
const SECRET = 'a secret for measurements, long enough';
const ADMIN = { ADMIN_EMAIL: 'admin@example.org', ADMIN_PASSWORD: 'zehn Zeichen und mehr' };
const OPERATOR = 'operator@example.org';

const numbers = (many: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${many})`;

/** SQL for both engines. Half of the vouchers are used up; the oldest 90 % have ended. */
const FILL = [
  `${numbers(SITES - 1)} insert into sites (name, active, controller_kind, controller_site, created_at_ms)
    select 'Haus ' || i, 1, 'simulator', 'default', 1 from n`,
  `insert into users (email, name, role, password_hash, created_at_ms)
    select '${OPERATOR}', 'Olga Operator', 'operator', password_hash, created_at_ms from users`,
  `insert into user_sites (user_id, site_id)
    select users.id, sites.id from users, sites where role = 'operator' and sites.id <= 3`,
  `${numbers(VOUCHERS)} insert into vouchers (site_id, code, name, name_order, max_uses, expire_minutes, down_kbps, up_kbps,
      quota_mb, controller_voucher_id, owner_user_id, used_count, created_at_s, first_used_at_s, ended_at_s)
    select 1 + i % ${SITES}, cast(1000000000 + (cast(i as bigint) * 6180339887) % 9000000000 as text), '2026-01-15_Zimmer ' || (i % 500), 'zimmer ' || (i % 500), 1, 480, 0, 0, 0, 'grown-' || i,
      1 + i % 2, i % 2, made, case when i % 2 = 1 then made + 600 end, case when i < ${VOUCHERS * 0.9} then made + 90000 end
    from (select i, ${Math.floor(Date.now() / 1000)} - (${VOUCHERS} - i) * ${ONE_EVERY_S} as made from n) as rows`,
];

const LISTS = {
  'vouchers, first page': '/vouchers',
  'by code': '/vouchers?q=71803-39887',
  'by the beginning of a code': '/vouchers?q=7180',
  'by part of a name': '/vouchers?q=zimmer+49',
  'by a name nobody has': '/vouchers?q=Sonnenschein',
  'of one site': '/vouchers?site=2',
  'by three digits': '/vouchers?q=718',
  'by three digits, oldest first': '/vouchers?q=718&sort=oldest',
  'by three digits, by name': '/vouchers?q=718&sort=name',
  'by three digits, unused': '/vouchers?q=718&state=unused',
  'by three digits, a state nobody has': '/vouchers?q=718&state=revoked',
  'by three digits, of one site, expired, 7 days': '/vouchers?q=718&site=2&state=expired&created=week',
  'by four digits': '/vouchers?q=8033',
  'by five digits with a dash': '/vouchers?q=803-39',
  'by digits nobody has': '/vouchers?q=00000-0001',
  'by digits of names and codes': '/vouchers?q=499',
  'by two letters': '/vouchers?q=zi',
  'by part of a name that all have': '/vouchers?q=zimmer',
  today: '/vouchers?created=today',
  yesterday: '/vouchers?created=yesterday',
  '7 days': '/vouchers?created=week',
  '7 days, unused': '/vouchers?created=week&state=unused',
  '7 days, by name': '/vouchers?created=week&sort=name',
  unused: '/vouchers?state=unused',
  'in use': '/vouchers?state=in-use',
  'used up': '/vouchers?state=used-up',
  expired: '/vouchers?state=expired',
  revoked: '/vouchers?state=revoked',
  deleted: '/vouchers?state=deleted',
  'used up, of one site, by name': '/vouchers?state=used-up&site=2&q=zimmer+11',
  'the oldest first': '/vouchers?sort=oldest',
  'by name': '/vouchers?sort=name',
  'by name from the end': '/vouchers?sort=name-back',
  'by name, used up': '/vouchers?sort=name&state=used-up',
  'by name, a name nobody has': '/vouchers?sort=name&q=Sonnenschein',
};
const PATHS: Record<'operator' | 'administrator', Record<string, string>> = {
  operator: { home: '/', ...LISTS },
  administrator: { home: '/', overview: '/overview', ...LISTS, audit: '/audit' },
};

const COUNT_INDEXED = "select count(*) as count from voucher_parts where part = ''";

interface Engine {
  name: string;
  settings: Record<string, string>;
  run(statements: string[]): Promise<void>;
  /** How many blocks of vouchers are in the search index. */
  countIndexed(): Promise<number>;
  discard(): Promise<void>;
}

function sqliteIn(dataDir: string): Engine {
  return {
    name: 'SQLite',
    settings: {},
    async run(statements) {
      const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'));
      file.exec(['pragma synchronous = off', ...statements, 'pragma wal_checkpoint(truncate)'].join(';'));
      file.close();
    },
    async countIndexed() {
      const file = new DatabaseSync(join(dataDir, 'gastpass.sqlite'), { readOnly: true });
      const row = file.prepare(COUNT_INDEXED).get();
      file.close();
      return Number(row?.count);
    },
    discard: async () => {},
  };
}

async function postgres(): Promise<Engine> {
  const database = await makeTestDatabase();
  return {
    name: 'PostgreSQL',
    settings: { DATABASE_URL: database.url, GASTPASS_SECRET: SECRET },
    async run(statements) {
      const client = new pg.Client({ connectionString: database.url });
      await client.connect();
      for (const statement of [...statements, 'vacuum analyze']) await client.query(statement);
      await client.end();
    },
    countIndexed: async () => Number((await database.rows(COUNT_INDEXED))[0]?.count),
    discard: database.drop,
  };
}

function makeOpenPage(pool: Pool, cookie: string) {
  return async function openPage(path: string) {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request({ path, method: 'GET', headers: { cookie } });
    const html = await body.text();
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    return { ms: performance.now() - startedAt, html };
  };
}

type OpenPage = ReturnType<typeof makeOpenPage>;

async function measure(openPage: OpenPage, path: string, pid: number | undefined) {
  const times: number[] = [];
  let bytes = 0;
  let before = 0;
  for (let turn = 0; turn < WARM_UP + VISITS; turn++) {
    if (turn === WARM_UP) before = cpuMs(pid);
    const { ms, html } = await openPage(path);
    bytes = Buffer.byteLength(html);
    if (turn >= WARM_UP) times.push(ms);
  }
  const cpu = (cpuMs(pid) - before) / VISITS;
  times.sort((one, other) => one - other);
  return { bytes, cpu, medianMs: median(times), p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/** Returns the target of the link to the next page. */
async function nextOf(openPage: OpenPage, path: string): Promise<string> {
  const { html } = await openPage(path);
  const link = /href="([^"]*after=[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&');
  if (!link) throw new Error(`nothing comes after ${path}`);
  return link;
}

interface Loaded {
  page: string;
  medianMs: number;
  p99Ms: number;
  bytes: number;
}

async function measureEngine(makeEngine: (dataDir: string) => Promise<Engine>): Promise<Loaded[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const engine = await makeEngine(dataDir);
  // The inserted vouchers are not on the controller: a sync would mark all of them as missing.
  const settings = { SYNC_INTERVAL_S: '86400', ...ADMIN, ...engine.settings };
  const service = await startServiceProcess(dataDir, settings);
  await engine.run(FILL);
  // A background job adds all vouchers to the search index, except the newest ones.
  while ((await engine.countIndexed()) < Math.floor(VOUCHERS / BLOCK_SIZE)) await sleep(1_000);
  await engine.run([]);
  const pool = new Pool(service.url, { connections: 1 });
  const loaded: Loaded[] = [];
  for (const [who, email] of [
    ['operator', OPERATOR],
    ['administrator', ADMIN.ADMIN_EMAIL],
  ] as const) {
    const openPage = makeOpenPage(
      pool,
      await loginToService(service.url, { email, password: ADMIN.ADMIN_PASSWORD }),
    );
    const middleS = Math.floor(Date.now() / 1000) - (VOUCHERS / 2) * ONE_EVERY_S;
    const paths = {
      ...PATHS[who],
      'a page in the middle': await nextOf(openPage, `/vouchers?after=${middleS}.${VOUCHERS / 2}`),
      'the last full page': await nextOf(
        openPage,
        `/vouchers?after=${middleS - (VOUCHERS / 2 - 2_000) * ONE_EVERY_S}.2000`,
      ),
      'a page by name': await nextOf(openPage, '/vouchers?sort=name'),
    };
    for (const [page, path] of Object.entries(paths)) {
      const { medianMs, p99Ms, cpu, bytes } = await measure(openPage, path, service.process.pid);
      loaded.push({ page, medianMs, p99Ms, bytes });
      console.log(
        `${engine.name}, ${who}, ${page}: ${show(medianMs)} ms, p99 ${show(p99Ms)} ms, processor time ${show(cpu)} ms`,
      );
    }
  }
  await pool.close();
  await service.stop();
  await engine.discard();
  rmSync(dataDir, { recursive: true });
  return loaded;
}

function show(value: number): string {
  return value.toFixed(1);
}

/** The larger figures of both users. */
function slowest(loaded: Loaded[], page: string) {
  const same = loaded.filter((each) => each.page === page);
  const most = (key: 'medianMs' | 'p99Ms' | 'bytes') => Math.max(...same.map((each) => each[key]));
  return { medianMs: most('medianMs'), p99Ms: most('p99Ms'), bytes: most('bytes') };
}

const onSqlite = await measureEngine(async (dataDir) => sqliteIn(dataDir));
const onPostgres = await measureEngine(postgres);
const lines = [...new Set(onSqlite.map(({ page }) => page))].map((page) => {
  const figures = [slowest(onSqlite, page), slowest(onPostgres, page)];
  const times = figures.map(({ medianMs, p99Ms }) => `${show(medianMs)}–${show(p99Ms)}`);
  const bytes = Math.max(...figures.map((figure) => figure.bytes));
  return `| ${[page, ...times, show(bytes / 1000)].join(' | ')} |`;
});
const text = `# Pages

\`bin/node bench/pages.ts\` writes this page. Measured on ${new Date().toISOString().slice(0, 10)}, ${process.arch}, with PostgreSQL on the same
machine: ${VOUCHERS.toLocaleString('en')} vouchers of two years on ${SITES} sites. An operator of three sites and an administrator load each page ${VISITS}
times, one after the other. The table has the median and the p99 in ms, each of the slower user, and the size in kB before
compression, without stylesheet and script, which browsers keep.

| page | SQLite | PostgreSQL | size |
|---|---|---|---|
${lines.join('\n')}
`;
writeFileSync(new URL('PAGES.md', import.meta.url), text);
