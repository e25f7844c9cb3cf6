// Loads of everyday life, compared with a bare node:http server that only sends the bytes of a list: lists, creations
// and pages mixed, 300 sites that are polled while vouchers are created, and lists of 10,000 sites. In the last
// two, each site has a key of its own.

import { measureLoad, type StartedLoad } from './load.ts';
import { loginToService } from './login.ts';
import { creation, list } from './requests.ts';
import { cpuBoundRow, measureInTurns, type Row } from './row.ts';
import { startBareServer } from './start-bare.ts';
import { createVouchers, startServiceProcess } from './start-service.ts';
import { startWithSites } from './start-with-sites.ts';

const CONNECTIONS = 32;
const ROUND_S = 3;
const VOUCHERS_PER_SITE = 20;
const POLLED = 300;
/** 5 %. */
const CREATE_EVERY = 20;
const MANY = 10_000;

export async function startMixture(settings: Record<string, string> = {}) {
  const service = await startServiceProcess(undefined, settings);
  await createVouchers(service, 200);
  const login = { email: 'admin@localhost', password: service.adminPassword };
  const page = { path: '/vouchers', headers: { cookie: await loginToService(service.url, login) } };
  const requests = Array.from({ length: 100 }, (_, i) => {
    if (i === 50) return page;
    return i % 11 === 10 ? creation(service.keyText) : list(service.keyText);
  });
  const load = { url: service.url, pid: service.process.pid, requests, connections: CONNECTIONS };
  return { service, load, stop: service.stop };
}

/** In one of 20 rounds each site gets a new voucher. */
export async function startPolled(): Promise<StartedLoad> {
  const { service, sites, stop } = await startWithSites(POLLED, VOUCHERS_PER_SITE);
  const requests = Array.from({ length: CREATE_EVERY }, (_, round) =>
    sites.map(({ keyText, siteId }, index) =>
      (index + round) % CREATE_EVERY === 0 ? creation(keyText, siteId) : list(keyText, siteId),
    ),
  ).flat();
  const { url, process } = service;
  return { load: { url, pid: process.pid, requests, connections: CONNECTIONS }, stop };
}

async function startManySites(): Promise<StartedLoad> {
  const { service, sites, stop } = await startWithSites(MANY, VOUCHERS_PER_SITE);
  const requests = sites.map(({ keyText, siteId }) => list(keyText, siteId));
  const { url, process } = service;
  return { load: { url, pid: process.pid, requests, connections: CONNECTIONS }, stop };
}

/** The bare server sends the first list. */
async function compare(name: string, start: () => Promise<StartedLoad>, goal?: Row['goal']): Promise<Row> {
  const { load, stop } = await start();
  const first = load.requests.find(({ body }) => body === undefined);
  const bare = await startBareServer(await fetch(load.url + first?.path, { headers: first?.headers ?? {} }));
  const sides = await measureInTurns(
    () => measureLoad({ ...load, seconds: ROUND_S }),
    () => measureLoad({ ...load, seconds: ROUND_S, url: bare.url, pid: bare.process.pid }),
  );
  await bare.stop();
  await stop();
  return cpuBoundRow(name, sides, goal);
}

export async function benchMix(): Promise<Row[]> {
  return [
    await compare('90 % lists, 9 % creations, 1 % pages', startMixture, { cpuAtMost: 220 }),
    await compare(`lists of ${VOUCHERS_PER_SITE} and 5 % creations, 300 sites polled`, startPolled, {
      cpuAtMost: 180,
    }),
    await compare(`lists of ${VOUCHERS_PER_SITE}, 10,000 sites and keys in turn`, startManySites),
  ];
}
