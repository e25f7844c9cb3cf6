// Compares creating vouchers on a UniFi console through the service with the bare calls that create them, on one
// simulated console over TLS.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { type BareSettings, type Kind, makeNames, openBareUpstream } from './bare-upstream.ts';
import { killAtExit } from './kill-at-exit.ts';
import { type Measured, measureLoad, type Request } from './load.ts';
import { median } from './median.ts';
import { cpuMs } from './processor-time.ts';
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

interface Side {
  service: RunningService;
  siteId: number;
}

const creations = ({ service, siteId }: Side, nextName: () => string): Request[] =>
  Array.from({ length: NAMES }, () => ({
    path: '/api/vouchers.php',
    headers: { authorization: `Bearer ${service.keyText}` },
    body: JSON.stringify({ site_id: siteId, name: nextName() }),
  }));

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
  const post = async (turn: number) => {
    const { path, headers = {}, body: order = '' } = requests[turn] ?? { path: '' };
    const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: order });
    await body.text();
    if (statusCode !== 201) throw new Error(`POST answered ${statusCode}`);
  };

  const [through, upstream]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < WARM_UP_PAIRS + LATENCY_PAIRS; pair++) {
    const calls = [
      async () => through.push(await duration(() => post(pair))),
      async () => upstream.push(await duration(() => bare.makeVoucher(`2026-01-15_${nextName()}`))),
    ];
    // After the pause everything is cold, so the two sides take turns at being first.
    for (const call of pair % 2 === 0 ? calls : calls.reverse()) await call();
    await sleep(BETWEEN_PAIRS_MS);
  }
  await Promise.all([pool.close(), bare.close()]);
  const measured = (all: number[]) => ({ value: median(all.slice(WARM_UP_PAIRS)) });
  return { ours: measured(through), bare: measured(upstream) };
}

async function duration(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function compareRates(side: Side, settings: BareSettings): Promise<Sides> {
  const { service } = side;
  const load = {
    url: service.url,
    requests: creations(side, makeNames(settings.names)),
    connections: CONNECTIONS,
    seconds: ROUND_S,
    pid: service.process.pid,
  };
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

async function onConsole<Result>(
  kind: Kind,
  consoleMs: number,
  measure: (side: Side, settings: BareSettings) => Promise<Result>,
): Promise<Result> {
  const [service, console] = await Promise.all([startServiceProcess(), startConsoleProcess(consoleMs)]);
  try {
    const siteId = addSite(service, kind, console.connection);
    return await measure({ service, siteId }, { kind, names: 'own', connection: console.connection });
  } finally {
    await Promise.all([service.stop(), console.stop()]);
  }
}

async function latencyRow(kind: Kind, goal?: Row['goal']): Promise<Row> {
  const name = `create, \`${kind}\`, console takes no time, one at a time`;
  return { name, unit: 'ms', ...(await onConsole(kind, 0, measureLatency)), ...(goal && { goal }) };
}

async function rateOfConsole(kind: Kind, consoleMs: number, goal?: Row['goal']): Promise<Row> {
  const name = `create, \`${kind}\`, console takes ${consoleMs} ms`;
  return rateRow(name, await onConsole(kind, consoleMs, compareRates), goal);
}

export async function benchControllers(): Promise<Row[]> {
  return [
    await latencyRow('unifi', { addedAtMost: 1.2 }),
    await rateOfConsole('unifi', 10, { ratio: 0.9 }),
    await rateOfConsole('unifi', 50),
    await latencyRow('unifi-classic'),
    await rateOfConsole('unifi-classic', 10),
  ];
}
