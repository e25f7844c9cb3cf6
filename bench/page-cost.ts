// The processor time for the pages that are opened most: the list of vouchers and the overview, with 10 sites of 1,000
// vouchers, one page after the other. pages.ts measures more pages with more vouchers.

import { measureLoad, type StartedLoad } from './load.ts';
import { loginToService } from './login.ts';
import { median } from './median.ts';
import type { Row } from './row.ts';
import { startWithSites } from './start-with-sites.ts';

const SITES = 10;
const VOUCHERS_PER_SITE = 1_000;
const ROUNDS = 5;
const ROUND_S = 2;
const MAX_US = 2_500;
const PAGES = { 'list of vouchers': '/vouchers', overview: '/overview' };

export async function startPage(name: keyof typeof PAGES): Promise<StartedLoad> {
  const { service, adminPassword, stop } = await startWithSites(SITES, VOUCHERS_PER_SITE);
  const { url, process } = service;
  const cookie = await loginToService(url, { email: 'admin@localhost', password: adminPassword });
  const requests = [{ path: PAGES[name], headers: { cookie } }];
  return { load: { url, pid: process.pid, requests, connections: 1 }, stop };
}

async function measurePage(name: keyof typeof PAGES): Promise<Row> {
  const { load, stop } = await startPage(name);
  const rounds: { perS: number; cpuUs: number }[] = [];
  for (let round = 0; round <= ROUNDS; round++) rounds.push(await measureLoad({ ...load, seconds: ROUND_S }));
  await stop();
  // The first round is a warm-up.
  const [, ...counted] = rounds;
  const value = median(counted.map(({ perS }) => perS));
  const cpuUs = median(counted.map((round) => round.cpuUs));
  return { name: `page, ${name}`, unit: '/s', ours: { value, cpuUs }, goal: { cpuAtMost: MAX_US } };
}

export async function benchPageCost(): Promise<Row[]> {
  return [await measurePage('list of vouchers'), await measurePage('overview')];
}
