// Compares creating vouchers on a UniFi console through the service with the bare calls that create them, on one
// simulated console over TLS.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { sendOnce } from './at-fixed-times.ts';
import { type BareSettings, type Kind, makeNames, openBareUpstream } from './bare-upstream.ts';
import { killAtExit } from './kill-at-exit.ts';
import { type Measured, measureLoad, type Request, type StartedLoad } from './load.ts';
import { median } from './median.ts';
import { cpuMs } from './processor-time.ts';
import { creation } from './requests.ts';
import { measureInTurns, type Row, rateRow, type Sides } from './row.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

/** Enough to keep 8 calls to the console running at all times, even while other requests wait for a list. */
const CONNECTIONS = 100;
const ROUNDS = 3;
const ROUND_S = 3;
/** Long enough to finish the requests that were still running at the end of the last round. */
const BETWEEN_ROUNDS_MS = 300;
/** More than are created in a round, so that the vouchers of a second have different names. */
const NAMES = 5_000;
const LATENCY_PAIRS = 150;
const WARM_UP_PAIRS = 50;
/** Limits the vouchers per second, because the classic API lists all vouchers of a second. */
const BETWEEN_PAIRS_MS = 20;
const PAGE = Buffer.alloc(4_096, 1);
/** The time that a creation may take in addition to the calls to the console and two syncs. */
const MAX_OWN_MS = 2;

interface Side {
  service: RunningService;
  siteId: number;
}

const creations = ({ service, siteId }: Side, nextName: () => string): Request[] =>
  Array.from({ length: NAMES }, () => creation(service.keyText, siteId, nextName()));

/** Runs in a separate process, as the service does, so that the load generator's memory does not slow it down. */
async function startBare(settings: BareSettings) {
  const program = fileURLToPath(new URL('bare-upstream.ts', import.meta.url));
  const child = fork(program, [JSON.stringify(settings)]);
  killAtExit(child);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the bare loop ended with ${code}`)));
  });
  // A caller that waits for a message gets this error. At the end no caller waits, and the error is ignored.
  ended.catch(() => undefined);
  const respond = async () => Number((await Promise.race([once(child, 'message'), ended]))[0]);
  await respond();
  return {
    async measure(): Promise<Measured> {
      const before = cpuMs(child.pid);
      child.send(ROUND_S);
      const perS = await respond();
      return { perS, p99Ms: 0, cpuUs: ((cpuMs(child.pid) - before) * 1000) / (perS * ROUND_S) };
    },
    stop: () => child.kill(),
  };
}

/** Creates vouchers one after another, alternately through the service and by the bare calls. */
async function measureLatency(side: Side, settings: BareSettings) {
  const bare = await openBareUpstream(settings);
  const nextName = makeNames(settings.names);
  const requests = creations(side, nextName);
  const pool = new Pool(side.service.url, { connections: 1 });
  const disk = openSync(join(side.service.dataDir, 'synced'), 'w');
  const [through, upstream, syncs]: [number[], number[], number[]] = [[], [], []];
  for (const [pair, request] of requests.slice(0, WARM_UP_PAIRS + LATENCY_PAIRS).entries()) {
    const calls = [
      async () => through.push(await duration(() => sendOnce(pool, request))),
      async () => upstream.push(await duration(() => bare.makeVoucher(`2026-01-15_${nextName()}`))),
      async () => syncs.push(await duration(async () => syncPage(disk))),
    ];
    // After the pause everything is cold, so the sides take turns at being first.
    for (const call of pair % 2 === 0 ? calls : calls.reverse()) await call();
    await sleep(BETWEEN_PAIRS_MS);
  }
  closeSync(disk);
  await Promise.all([pool.close(), bare.close()]);
  const measured = (all: number[]) => ({ value: median(all.slice(WARM_UP_PAIRS)) });
  return { ours: measured(through), bare: measured(upstream), sync: measured(syncs) };
}

/** Appends a page, as a commit appends to the log of a database, and syncs it. */
function syncPage(file: number): void {
  writeSync(file, PAGE);
  fdatasyncSync(file);
}

async function duration(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const loadOf = (side: Side, names: BareSettings['names']) => ({
  url: side.service.url,
  pid: side.service.process.pid,
  requests: creations(side, makeNames(names)),
  connections: CONNECTIONS,
});

async function compareRates(side: Side, settings: BareSettings): Promise<Sides> {
  const load = { ...loadOf(side, settings.names), seconds: ROUND_S };
  const bare = await startBare(settings);
  try {
    return await measureInTurns(
      () => measureLoad(load).finally(() => sleep(BETWEEN_ROUNDS_MS)),
      () => bare.measure().finally(() => sleep(BETWEEN_ROUNDS_MS)),
      ROUNDS,
    );
  } finally {
    bare.stop();
  }
}

async function startOnConsole(kind: Kind, consoleMs: number) {
  const [service, console] = await Promise.all([startServiceProcess(), startConsoleProcess(consoleMs)]);
  const { connection } = console;
  return {
    side: { service, siteId: addSite(service, kind, connection) },
    settings: { kind, names: 'own', connection } satisfies BareSettings,
    async stop(): Promise<void> {
      await Promise.all([service.stop(), console.stop()]);
    },
  };
}

export async function startCreationsOnConsole(consoleMs: number): Promise<StartedLoad> {
  const { side, settings, stop } = await startOnConsole('unifi', consoleMs);
  return { load: loadOf(side, settings.names), stop };
}

async function onConsole<Result>(
  kind: Kind,
  consoleMs: number,
  measure: (side: Side, settings: BareSettings) => Promise<Result>,
): Promise<Result> {
  const { side, settings, stop } = await startOnConsole(kind, consoleMs);
  try {
    return await measure(side, settings);
  } finally {
    await stop();
  }
}

/** A creation makes two commits, each with a sync. The bare calls sync nothing. */
async function latencyRows(kind: Kind): Promise<Row[]> {
  const { ours, bare, sync } = await onConsole(kind, 0, measureLatency);
  const name = `create, \`${kind}\`, console takes no time, one at a time`;
  const goal = { addedAtMost: 2 * sync.value + MAX_OWN_MS };
  return [
    { name, unit: 'ms', ours, bare, ...(kind === 'unifi' && { goal }) },
    { name: `a sync of the disk beside \`${kind}\``, unit: 'ms', ours: sync },
  ];
}

async function rateOfConsole(kind: Kind, consoleMs: number, goal?: Row['goal']): Promise<Row> {
  const name = `create, \`${kind}\`, console takes ${consoleMs} ms`;
  return rateRow(name, await onConsole(kind, consoleMs, compareRates), goal);
}

export async function benchControllers(): Promise<Row[]> {
  return [
    ...(await latencyRows('unifi')),
    await rateOfConsole('unifi', 10, { ratio: 0.9 }),
    await rateOfConsole('unifi', 50, { cpuAtMost: 1_600 }),
    ...(await latencyRows('unifi-classic')),
    await rateOfConsole('unifi-classic', 10),
  ];
}
