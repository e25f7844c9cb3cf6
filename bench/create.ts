// How many vouchers per second are created durably on the simulated controller, with 1, 8 and 32 connections, compared
// with a bare loop on the same tables that makes the same two commits per voucher. Rounds alternate.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Measured, measureLoad } from './load.ts';
import { median } from './median.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = [1, 8, 32];
const ROUNDS = 5;
const ROUND_S = 3;

function measureCreates({ url, keyText, process }: RunningService, connections: number): Promise<Measured> {
  return measureLoad({
    url: `${url}/api/vouchers.php`,
    headers: { authorization: `Bearer ${keyText}` },
    body: JSON.stringify({ site_id: 1, name: 'Zimmer 12' }),
    connections,
    seconds: ROUND_S,
    pid: process.pid,
  });
}

/** The tables of a new installation. */
async function makeTables(folder: string): Promise<string> {
  const service = await startServiceProcess(folder);
  await service.stop();
  return join(folder, 'gastpass.sqlite');
}

/** Writes what the service writes for a voucher: an intent, then everything else, each with a sync to disk. */
function bareCreatesPerSecond(file: string): number {
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
  const outbox = step(
    `insert into outbox (event_id, voucher_count, site_name, source, created_at_ms) values (?, 1, 'Demo', 'API: bench', ?)`,
  );
  const audit = step(
    `insert into audit (at_ms, actor, actor_id, action, subject, address) values (?, 'API: bench', 'abcdefgh', 'voucher.created', ?, '127.0.0.1')`,
  );
  const version = step('update sites set list_version = list_version + 1 where id = 1');
  const answer = step('update idempotent_answers set intent_id = null, answer = ? where intent_id = ?');

  const startedAt = performance.now();
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
    outbox.run(crypto.randomUUID(), nowMs);
    audit.run(nowMs, `voucher ${made} of site 1 (Demo): 2026-01-15_Zimmer 12`);
    answer.run('{}', id);
    version.run();
    commit.run();
    made++;
  }
  const perS = (made * 1_000) / (performance.now() - startedAt);
  database.close();
  return perS;
}

interface Side {
  connections: number;
  rounds: Measured[];
}

export async function benchCreate() {
  const service = await startServiceProcess();
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const file = await makeTables(folder);
  const sides = CONNECTIONS.map((connections): Side => ({ connections, rounds: [] }));
  const bare: number[] = [];
  await measureCreates(service, 8);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { connections, rounds } of sides) rounds.push(await measureCreates(service, connections));
    bare.push(bareCreatesPerSecond(file));
  }
  rmSync(folder, { recursive: true });
  await service.stop();
  return {
    barePerS: median(bare),
    sides: sides.map(({ connections, rounds }) => ({
      connections,
      perS: median(rounds.map(({ perS }) => perS)),
      p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
      cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
    })),
  };
}

if (import.meta.main) console.log(await benchCreate());
