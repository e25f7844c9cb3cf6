// Logins beside API clients: how long 50 logins at once take, how long a known device waits while 100 networks guess
// passwords, and how many lists per second remain in both cases. Rounds with and without logins alternate.

import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { measureLoad } from './load.ts';
import { median } from './median.ts';
import type { Row } from './row.ts';
import { createVouchers, type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = 10;
const LOGINS_AT_ONCE = 50;
const ATTACKERS = 100;
const ATTEMPTS_PER_S = 50;
const ROUNDS = 2;
const QUIET_S = 3;
const BESIEGED_S = 8;
const VOUCHERS = 200;
const EMAIL = 'admin@localhost';
const HOTEL = '192.0.2.1';

async function start(): Promise<RunningService> {
  const service = await startServiceProcess(undefined, { TRUSTED_PROXIES: '127.0.0.1' });
  await createVouchers(service, VOUCHERS);
  return service;
}

async function listsPerSecond({ url, keyText, process }: RunningService, seconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${keyText}` };
  const requests = [{ path: '/api/vouchers.php?site_id=1', headers }];
  return (await measureLoad({ url, requests, connections: CONNECTIONS, seconds, pid: process.pid })).perS;
}

/** Opens the login page once. The returned function sends logins with its form token and returns the status. */
async function openDoor({ url }: RunningService, pool: Pool) {
  const door = await fetch(`${url}/login`);
  const formCookie = door.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const token = /name="token" value="([^"]+)"/.exec(await door.text())?.[1] ?? '';
  return async (login: { email: string; password: string; ip: string; device?: string }) => {
    const { email, password, ip, device } = login;
    const { statusCode, headers, body } = await pool.request({
      path: '/login',
      method: 'POST',
      headers: {
        cookie: device ? `${formCookie}; ${device}` : formCookie,
        'content-type': 'application/x-www-form-urlencoded',
        'x-forwarded-for': ip,
      },
      body: new URLSearchParams({ token, email, password }).toString(),
    });
    await body.dump();
    return { statusCode, device: deviceOf(headers) };
  };
}
type Login = Awaited<ReturnType<typeof openDoor>>;

function deviceOf(headers: Dispatcher.ResponseData['headers']): string | undefined {
  const cookies = [headers['set-cookie'] ?? []].flat();
  return cookies.find((cookie) => cookie.startsWith('gastpass-device'))?.split(';')[0];
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** Lists beside 50 logins with the right password, all from one network and from devices that are not known. */
async function besideManyLogins(service: RunningService, login: Login) {
  const password = service.adminPassword;
  const logins = Promise.all(
    Array.from({ length: LOGINS_AT_ONCE }, () =>
      secondsOf(async () => {
        const { statusCode } = await login({ email: EMAIL, password, ip: HOTEL });
        if (statusCode !== 303) throw new Error(`a login was answered ${statusCode}`);
      }),
    ),
  );
  const perS = await listsPerSecond(service, BESIEGED_S);
  return { perS, slowestS: Math.max(...(await logins)) };
}

/** Lists while 100 networks guess passwords, half of them of an existing user, and a known device logs in. */
async function besideAttack(service: RunningService, login: Login, device: string) {
  const password = service.adminPassword;
  let isOver = false;
  let sent = 0;
  async function attack(): Promise<void> {
    const responses: Promise<unknown>[] = [];
    while (!isOver) {
      const turn = sent++;
      const email = turn % 2 === 0 ? EMAIL : `guess${turn}@example.org`;
      responses.push(login({ email, password: 'falsch', ip: `10.1.0.${turn % ATTACKERS}` }));
      await sleep(1000 / ATTEMPTS_PER_S);
    }
    await Promise.allSettled(responses);
  }
  const attacking = attack();
  const lists = listsPerSecond(service, BESIEGED_S);
  let slowestS = 0;
  for (let i = 0; i < 5; i++) {
    await sleep(500);
    const tookS = await secondsOf(async () => {
      const { statusCode } = await login({ email: EMAIL, password, ip: HOTEL, device });
      if (statusCode !== 303) throw new Error(`the login of the known device was answered ${statusCode}`);
    });
    slowestS = Math.max(slowestS, tookS);
  }
  const perS = await lists;
  isOver = true;
  await attacking;
  return { perS, slowestS };
}

async function benchScenario(logins: string, scenario: typeof besideAttack): Promise<Row[]> {
  const service = await start();
  const pool = new Pool(service.url, { connections: 1_000 });
  const login = await openDoor(service, pool);
  const { device } = await login({ email: EMAIL, password: service.adminPassword, ip: HOTEL });
  if (!device) throw new Error('no cookie for the known device');
  const quiet: number[] = [];
  const besieged: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const quietPerS = await listsPerSecond(service, QUIET_S);
    const { perS, slowestS } = await scenario(service, login, device);
    // The first round is a warm-up.
    if (round === 0) continue;
    quiet.push(quietPerS);
    besieged.push(perS);
    slowest.push(slowestS);
  }
  await pool.destroy();
  await service.stop();
  const [bare, ours] = [{ value: median(quiet) }, { value: median(besieged) }];
  return [
    { name: `lists beside ${logins} (bare: alone)`, unit: '/s', bare, ours, ratio: ours.value / bare.value },
    { name: `slowest login among ${logins}`, unit: 'ms', ours: { value: Math.max(...slowest) * 1000 } },
  ];
}

export async function benchLogin(): Promise<Row[]> {
  return [
    ...(await benchScenario('50 logins at once', besideManyLogins)),
    ...(await benchScenario('an attack from 100 networks', besideAttack)),
  ];
}
