// How much 50 concurrent logins with wrong passwords, repeated without a pause, slow down API clients: lists per second
// of a service that receives the logins and of a service that receives none, in short alternating rounds; and the
// processor time that the logins take when there are no other requests.

import { setTimeout as sleep } from 'node:timers/promises';
import autocannon from 'autocannon';
import { Pool } from 'undici';
import { median } from './median.ts';
import { cpuMs } from './processor-time.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = 10;
const ATTEMPTS_AT_ONCE = 50;
const ROUNDS = 3;
const QUIET_S = 2;
/**
 * Long enough for several password checks. The first check starts at once, because the pause between two checks ends
 * while the process is stopped.
 */
const BESIEGED_S = 5;
const ALONE_S = 5;
const VOUCHERS = 200;

async function start(): Promise<RunningService> {
  const service = await startServiceProcess(undefined, { TRUSTED_PROXIES: '127.0.0.1' });
  const headers = { authorization: `Bearer ${service.keyText}` };
  for (let i = 0; i < VOUCHERS; i++) {
    const body = JSON.stringify({ site_id: 1, name: `Zimmer ${i}` });
    const made = await fetch(`${service.url}/api/vouchers.php`, { method: 'POST', headers, body });
    if (made.status !== 201) throw new Error(`POST answered ${made.status}`);
  }
  return service;
}

async function listsPerSecond({ url, keyText }: RunningService, duration: number): Promise<number> {
  const result = await autocannon({
    url: `${url}/api/vouchers.php?site_id=1`,
    headers: { authorization: `Bearer ${keyText}` },
    connections: CONNECTIONS,
    duration,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.total / result.duration;
}

/**
 * Each login uses a different e-mail address and a different IP address, so that the login throttle refuses none of
 * them.
 */
async function startGuessing({ url }: RunningService) {
  const door = await fetch(`${url}/login`);
  const cookie = door.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(await door.text())?.[1] ?? '';
  const pool = new Pool(url, { connections: ATTEMPTS_AT_ONCE });
  const counts = { sent: 0, checked: 0 };

  async function guess(): Promise<void> {
    const turn = counts.sent++;
    const { statusCode, body } = await pool.request({
      path: '/login',
      method: 'POST',
      headers: {
        cookie,
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': `10.1.${turn >> 8}.${turn & 255}`,
      },
      body: new URLSearchParams({ token, email: `guess${turn}@example.org`, password: 'falsch' }).toString(),
    });
    await body.dump();
    if (statusCode === 401) counts.checked++;
    else if (statusCode !== 503) throw new Error(`a sign-in was answered ${statusCode}`);
  }
  async function goOn(): Promise<void> {
    while (!pool.destroyed) await guess();
  }
  const guessing = Promise.allSettled(Array.from({ length: ATTEMPTS_AT_ONCE }, goOn));
  return {
    counts,
    async stop() {
      await pool.destroy();
      await guessing;
    },
  };
}

export async function benchSignIn() {
  const [quiet, besieged] = [await start(), await start()];
  const guessing = await startGuessing(besieged);
  const before = cpuMs(besieged.process.pid);
  await sleep(ALONE_S * 1000);
  const share = (cpuMs(besieged.process.pid) - before) / (ALONE_S * 1000);
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round++) {
    // While this service is stopped, its logins wait and take no processor time from the other service.
    besieged.process.kill('SIGSTOP');
    const quietPerS = await listsPerSecond(quiet, QUIET_S);
    besieged.process.kill('SIGCONT');
    const besiegedPerS = await listsPerSecond(besieged, BESIEGED_S);
    // The first round is a warm-up.
    if (round === 0) continue;
    rates[0].push(quietPerS);
    rates[1].push(besiegedPerS);
  }
  await guessing.stop();
  await Promise.all([quiet.stop(), besieged.stop()]);
  if (guessing.counts.checked === 0) throw new Error('no password was checked');

  const [quietPerS, besiegedPerS] = [median(rates[0]), median(rates[1])];
  return { attempts: ATTEMPTS_AT_ONCE, quietPerS, besiegedPerS, ratio: besiegedPerS / quietPerS, share };
}

if (import.meta.main) console.log(await benchSignIn());
