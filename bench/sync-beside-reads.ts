// Lists of another site while the service syncs a site with 50,000 vouchers: how long the lists take during the first
// sync, during a sync without changes, and without a sync; and the time, processor time and memory of each sync.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Kind } from './bare-upstream.ts';
import { cpuMs } from './processor-time.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';
import { closeControlApi, fillConsole } from './sync.ts';

const LISTED = 200;
/** Lists are requested at fixed times: a list that waits for a blocked event loop does not delay the next request. */
const LIST_EVERY_MS = 5;
const WARM_UP_MS = 3_000;
const QUIET_MS = 5_000;

export interface BesideSync {
  ms: number;
  cpuMs: number;
  /** The most resident memory, above the memory at the beginning. */
  grownMb: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

function residentMb(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Requests lists while `goesOn` returns true. */
async function measureLists(
  { process: { pid }, keyText }: RunningService,
  pool: Pool,
  goesOn: () => boolean,
): Promise<BesideSync> {
  const tookMs: number[] = [];
  const headers = { authorization: `Bearer ${keyText}` };
  async function list(): Promise<void> {
    const sentAt = performance.now();
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: '/api/vouchers.php?site_id=1',
      headers,
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`GET answered ${statusCode}`);
    tookMs.push(performance.now() - sentAt);
  }

  const [startedAt, usedMs, mb] = [performance.now(), cpuMs(pid), residentMb(pid)];
  let peakMb = mb;
  const lists: Promise<void>[] = [];
  for (let dueAt = startedAt; goesOn(); dueAt += LIST_EVERY_MS) {
    lists.push(list());
    peakMb = Math.max(peakMb, residentMb(pid));
    await sleep(Math.max(0, dueAt + LIST_EVERY_MS - performance.now()));
  }
  const ms = performance.now() - startedAt;
  const spentMs = cpuMs(pid) - usedMs;
  await Promise.all(lists);
  const sorted = tookMs.sort((one, other) => one - other);
  const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
  return {
    ms,
    cpuMs: spentMs,
    grownMb: peakMb - mb,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    maxMs: quantile(1),
  };
}

/** Tells whether the service is syncing the site: it holds a lease meanwhile. */
function openSyncWatch({ dataDir }: RunningService, siteId: number) {
  const database = new DatabaseSync(join(dataDir, 'gastpass.sqlite'), { readOnly: true, timeout: 1_000 });
  const lease = database.prepare('select 1 from leases where name = ?');
  const isSyncing = () => lease.get(`sync of site ${siteId}`) !== undefined;
  return {
    isSyncing,
    async untilBegun(): Promise<void> {
      while (!isSyncing()) await sleep(1);
    },
    close: () => database.close(),
  };
}

function during(durationMs: number): () => boolean {
  const endsAt = performance.now() + durationMs;
  return () => performance.now() < endsAt;
}

export async function benchSyncBesideReads(kind: Kind = 'unifi') {
  const [service, console] = await Promise.all([
    startServiceProcess(undefined, { SYNC_INTERVAL_S: '5' }),
    startConsoleProcess(),
  ]);
  const pool = new Pool(service.url, { connections: 32 });
  try {
    for (let i = 0; i < LISTED; i++) {
      const body = JSON.stringify({ site_id: 1, name: `Zimmer ${i}` });
      const headers = { authorization: `Bearer ${service.keyText}` };
      const made = await pool.request({ method: 'POST', path: '/api/vouchers.php', headers, body });
      if (made.statusCode !== 201) throw new Error(`POST answered ${made.statusCode}`);
      await made.body.dump();
    }
    await fillConsole(console.connection.url);
    await measureLists(service, pool, during(WARM_UP_MS));
    const quiet = await measureLists(service, pool, during(QUIET_MS));
    const watch = openSyncWatch(service, addSite(service, kind, console.connection));
    await watch.untilBegun();
    const first = await measureLists(service, pool, watch.isSyncing);
    await watch.untilBegun();
    const idle = await measureLists(service, pool, watch.isSyncing);
    watch.close();
    return { quiet, first, idle };
  } finally {
    await pool.close();
    await Promise.all([service.stop(), console.stop()]);
  }
}

if (import.meta.main) {
  console.log(await benchSyncBesideReads());
  await closeControlApi();
}
