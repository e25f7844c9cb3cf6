// Lists of another site while the service syncs a site with 50,000 vouchers: how long the lists take during the first
// sync, during a sync without changes, and without a sync; and the time, processor time and memory of each sync. Also
// during the first sync by a service that was restarted after the site was added.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { during, quantile, sendAtFixedTimes } from './at-fixed-times.ts';
import type { Kind } from './bare-upstream.ts';
import { residentMb } from './memory.ts';
import { cpuMs } from './processor-time.ts';
import { list } from './requests.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { createVouchers, type RunningService, startServiceProcess } from './start-service.ts';
import { closeControlApi, fillConsole } from './sync.ts';

const LISTED = 200;
const LIST_EVERY_MS = 5;
const CONNECTIONS = 32;
const WARM_UP_MS = 3_000;
const QUIET_MS = 5_000;
/** Long enough to fill the console and to warm up. */
const AFTER_RESTART_S = 20;

export interface BesideSync {
  ms: number;
  cpuMs: number;
  /** The most resident memory, above the memory at the beginning. */
  grownMb: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Requests lists while `goesOn` returns true. */
async function measureLists(
  { process: { pid }, keyText }: Pick<RunningService, 'process' | 'keyText'>,
  pool: Pool,
  goesOn: () => boolean,
): Promise<BesideSync> {
  const [startedAt, usedMs, mb] = [performance.now(), cpuMs(pid), residentMb(pid)];
  let [ms, spentMs, peakMb] = [0, 0, mb];
  const tookMs = await sendAtFixedTimes({
    pool,
    request: list(keyText),
    everyMs: LIST_EVERY_MS,
    goesOn() {
      peakMb = Math.max(peakMb, residentMb(pid));
      [ms, spentMs] = [performance.now() - startedAt, cpuMs(pid) - usedMs];
      return goesOn();
    },
  });
  return {
    ms,
    cpuMs: spentMs,
    grownMb: peakMb - mb,
    p50Ms: quantile(tookMs, 0.5),
    p99Ms: quantile(tookMs, 0.99),
    maxMs: quantile(tookMs, 1),
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

export async function benchSyncBesideReads(kind: Kind = 'unifi') {
  const [service, console] = await Promise.all([
    startServiceProcess(undefined, { SYNC_INTERVAL_S: '5' }),
    startConsoleProcess(),
  ]);
  const pool = new Pool(service.url, { connections: CONNECTIONS });
  try {
    await createVouchers(service, LISTED);
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

/** The first sync of 50,000 vouchers, by a service that knew the site when it started. */
export async function benchSyncAfterRestart(kind: Kind = 'unifi'): Promise<BesideSync> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const [before, console] = await Promise.all([startServiceProcess(dataDir), startConsoleProcess()]);
  await createVouchers(before, LISTED);
  const siteId = addSite(before, kind, console.connection);
  await before.stop();
  // The console is still empty. The service syncs the site when an interval has passed since this sync.
  before.run(['sync', '--site', String(siteId)]);
  const started = await startServiceProcess(dataDir, { SYNC_INTERVAL_S: String(AFTER_RESTART_S) });
  const service = { ...started, keyText: before.keyText };
  const pool = new Pool(service.url, { connections: CONNECTIONS });
  try {
    await fillConsole(console.connection.url);
    await measureLists(service, pool, during(WARM_UP_MS));
    const watch = openSyncWatch(service, siteId);
    await watch.untilBegun();
    const first = await measureLists(service, pool, watch.isSyncing);
    watch.close();
    return first;
  } finally {
    await pool.close();
    await Promise.all([service.stop(), console.stop()]);
    rmSync(dataDir, { recursive: true });
  }
}

if (import.meta.main) {
  console.log({ ...(await benchSyncBesideReads()), afterRestart: await benchSyncAfterRestart() });
  await closeControlApi();
}
