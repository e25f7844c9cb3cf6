// Compares creating vouchers on a UniFi console through the service with the bare calls that create them. Rounds
// alternate between the two, on one simulated console; the medians are compared.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { type BareSettings, makeNames, openBareUpstream } from './bare-upstream.ts';
import { median } from './median.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

/** Enough to keep 8 calls to the console running at all times, even while other requests wait for a list. */
const CONNECTIONS = 100;
const ROUNDS = 3;
/** A fast console on the local network; real consoles take longer to create a voucher. */
const QUICK_CONSOLE_MS = 10;
/** A busy or distant console. */
const USUAL_CONSOLE_MS = 50;
const ROUND_S = 3;
/** Longer, because a slow console completes few requests in the first second. */
const SLOW_ROUND_S = 10;
/** Long enough to finish the requests that were still running at the end of the last round. */
const BETWEEN_ROUNDS_MS = 300;
const LATENCY_PAIRS = 150;
const WARM_UP_PAIRS = 50;
/** Limits the vouchers per second, because the classic API lists all vouchers of a second. */
const BETWEEN_PAIRS_MS = 20;

interface Side {
  service: RunningService;
  nextBody: () => string;
}

async function createsPerSecond({ service, nextBody }: Side, seconds: number): Promise<number> {
  const result = await autocannon({
    url: `${service.url}/api/vouchers.php`,
    method: 'POST',
    headers: { authorization: `Bearer ${service.keyText}` },
    requests: [{ setupRequest: (request) => ({ ...request, body: nextBody() }) }],
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.total / result.duration;
}

/** Runs in a separate process, as the service does, so that the load generator's memory does not slow it down. */
async function startBare(settings: BareSettings) {
  const program = fileURLToPath(new URL('bare-upstream.ts', import.meta.url));
  const child = fork(program, [JSON.stringify(settings)]);
  const ended = new Promise<never>((_resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the bare loop ended with ${code}`)));
  });
  // A caller that waits for a message gets this error. At the end no caller waits, and the error is ignored.
  ended.catch(() => undefined);
  const answer = async () => Number((await Promise.race([once(child, 'message'), ended]))[0]);
  await answer();
  return {
    async vouchersPerSecond(seconds: number): Promise<number> {
      child.send(seconds);
      return answer();
    },
    stop: () => child.kill(),
  };
}

/** Creates vouchers one after another, alternately through the service and by the bare calls. */
async function measureLatency({ service, nextBody }: Side, settings: BareSettings) {
  const bare = await openBareUpstream(settings);
  const nextName = makeNames(settings.names);
  const pool = new Pool(service.url, { connections: 1 });
  const headers = { authorization: `Bearer ${service.keyText}` };
  const post = async () => {
    const { statusCode, body } = await pool.request({
      method: 'POST',
      path: '/api/vouchers.php',
      headers,
      body: nextBody(),
    });
    await body.text();
    if (statusCode !== 201) throw new Error(`POST answered ${statusCode}`);
  };

  const [through, upstream]: [number[], number[]] = [[], []];
  for (let pair = 0; pair < WARM_UP_PAIRS + LATENCY_PAIRS; pair++) {
    const throughMs = await duration(post);
    const upstreamMs = await duration(() => bare.makeVoucher(`2026-01-15_${nextName()}`));
    await sleep(BETWEEN_PAIRS_MS);
    if (pair < WARM_UP_PAIRS) continue;
    through.push(throughMs);
    upstream.push(upstreamMs);
  }
  await Promise.all([pool.close(), bare.close()]);
  return {
    serviceMs: median(through),
    bareMs: median(upstream),
    addedMs: median(through) - median(upstream),
  };
}

async function duration(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

async function measure(kind: BareSettings['kind'], names: BareSettings['names'], consoleMs: number) {
  const [service, console] = await Promise.all([startServiceProcess(), startConsoleProcess(consoleMs)]);
  try {
    const settings = { kind, names, access: console.access };
    const siteId = addSite(service, kind, console.access);
    const nextName = makeNames(names);
    const side = { service, nextBody: () => JSON.stringify({ site_id: siteId, name: nextName() }) };
    return {
      ...(await compareRates(side, settings, consoleMs < USUAL_CONSOLE_MS ? ROUND_S : SLOW_ROUND_S)),
      ...(await measureLatency(side, settings)),
    };
  } finally {
    await Promise.all([service.stop(), console.stop()]);
  }
}

async function compareRates(side: Side, settings: BareSettings, roundS: number) {
  const bare = await startBare(settings);
  const [creates, ceiling]: [number[], number[]] = [[], []];
  try {
    // The first round of each is a warm-up and does not count.
    for (let round = 0; round <= ROUNDS; round++) {
      const createsPerS = await createsPerSecond(side, roundS);
      await sleep(BETWEEN_ROUNDS_MS);
      const barePerS = await bare.vouchersPerSecond(roundS);
      await sleep(BETWEEN_ROUNDS_MS);
      if (round === 0) continue;
      creates.push(createsPerS);
      ceiling.push(barePerS);
    }
  } finally {
    bare.stop();
  }
  const createsPerS = median(creates);
  const barePerS = median(ceiling);
  return { createsPerS, barePerS, ratio: createsPerS / barePerS };
}

export async function benchControllers() {
  return {
    unifi: await measure('unifi', 'own', QUICK_CONSOLE_MS),
    classic: await measure('unifi-classic', 'own', QUICK_CONSOLE_MS),
    classicEqualNames: await measure('unifi-classic', 'equal', QUICK_CONSOLE_MS),
    unifiUsual: await measure('unifi', 'own', USUAL_CONSOLE_MS),
    classicUsual: await measure('unifi-classic', 'own', USUAL_CONSOLE_MS),
    /** A console without latency: only processor time is compared. */
    unifiAtOnce: await measure('unifi', 'own', 0),
    classicAtOnce: await measure('unifi-classic', 'own', 0),
  };
}

if (import.meta.main) console.log(await benchControllers());
