// How many vouchers per second are created durably on the simulated controller, with 1, 8 and 32 connections, compared
// with a bare loop on the same tables that makes the same two commits per voucher.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Measured, measureLoad, type StartedLoad } from './load.ts';
import { median } from './median.ts';
import { peakMb } from './memory.ts';
import { creation } from './requests.ts';
import { measureInTurns, type Row, rateRow } from './row.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const MANY = 32;
const GOALS = [
  { connections: 1, goal: { cpuAtMost: 1_000 } },
  { connections: 8, goal: { ratio: 0.5, atLeast: 2_500 } },
  { connections: MANY, goal: { cpuAtMost: 500 } },
];
const ROUND_S = 2;
/** Long enough that the first requests, on new connections after a pause, are less than one percent. */
const P99_ROUND_S = 10;
const P99_ROUNDS = 5;

const loadOf = ({ url, keyText, process }: RunningService, connections: number) => ({
  url,
  pid: process.pid,
  requests: [creation(keyText)],
  connections,
});

export async function startCreations(connections: number): Promise<StartedLoad> {
  const service = await startServiceProcess();
  return { load: loadOf(service, connections), stop: service.stop };
}

/**
 * On a service of its own, so that the memory of the other one is measured after the same number of creations as ever.
 */
async function measureP99(): Promise<number> {
  const { load, stop } = await startCreations(MANY);
  await measureLoad({ ...load, seconds: ROUND_S });
  const rounds: number[] = [];
  for (let round = 0; round < P99_ROUNDS; round++)
    rounds.push((await measureLoad({ ...load, seconds: P99_ROUND_S })).p99Ms);
  await stop();
  return median(rounds);
}

/** The tables of a new installation. */
async function makeTables(folder: string): Promise<string> {
  const service = await startServiceProcess(folder);
  await service.stop();
  return join(folder, 'gastpass.sqlite');
}

/** Writes what the service writes for a voucher: an intent, then everything else, each with a sync to disk. */
function createBare(file: string): Measured {
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
  const step = (text: string) => database.prepare(text);
  const [begin, commit] = [step('begin immediate'), step('commit')];
  const order = `site_id, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, source, actor_id`;
  const sample = `1, '2026-01-15_Zimmer 12', 1, 480, 0, 0, 0, 'API: bench', 'abcdefgh'`;
  const intent = step(`insert into intents (${order}, created_at_ms) values (${sample}, ?) returning id`);
  const voucher = step(
    `insert into vouchers (${order}, code, name_order, controller_voucher_id, used_count, created_at_s)
     values (${sample}, ?, 'zimmer 12', ?, 0, ?) on conflict do nothing returning id`,
  );
  const forget = step('delete from intents where id = ?');
  const audit = step(
    `insert into audit (at_ms, actor, actor_id, action, subject, address) values (?, 'API: bench', 'abcdefgh', 'voucher.created', ?, '127.0.0.1')`,
  );
  const version = step('update sites set list_version = list_version + 1 where id = 1');
  const response = step('update idempotent_answers set intent_id = null, answer = ? where intent_id = ?');

  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  let made = 0;
  while (performance.now() - startedAt < ROUND_S * 1_000) {
    const nowMs = Date.now();
    begin.run();
    const id = Number(intent.get(nowMs)?.id);
    commit.run();
    begin.run();
    const code = String(Math.random()).slice(2, 12);
    voucher.get(code, `${nowMs}-${made}-${code}`, Math.floor(nowMs / 1_000));
    forget.run(id);
    audit.run(nowMs, `voucher ${made} of site 1 (Demo): 2026-01-15_Zimmer 12`);
    response.run('{}', id);
    version.run();
    commit.run();
    made++;
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const perS = (made * 1_000) / (performance.now() - startedAt);
  database.close();
  return { perS, p99Ms: 0, cpuUs: (user + system) / made };
}

export async function benchCreate(): Promise<Row[]> {
  const service = await startServiceProcess();
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const file = await makeTables(folder);
  const rows: Row[] = [];
  for (const { connections, goal } of GOALS) {
    const name = `create, simulator, ${connections} at once`;
    const sides = await measureInTurns(
      () => measureLoad({ ...loadOf(service, connections), seconds: ROUND_S }),
      async () => createBare(file),
    );
    rows.push(rateRow(name, sides, goal));
    if (connections === MANY)
      rows.push({
        name: `${name}, p99`,
        unit: 'ms',
        ours: { value: await measureP99() },
        goal: { atMost: 30 },
      });
  }
  rmSync(folder, { recursive: true });
  const ours = { value: peakMb(service.process.pid) };
  await service.stop();
  return [...rows, { name: 'memory under load of creations', unit: 'MB', ours, goal: { atMost: 150 } }];
}
