// The longest block of the event loop: under the mixed load of everyday life, and when a service does something for the
// first time after its start.

import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { sendOnce } from './at-fixed-times.ts';
import { buildPackage } from './build-package.ts';
import { measureLoad, type Request } from './load.ts';
import { loginToService } from './login.ts';
import { median } from './median.ts';
import { startMixture } from './mix.ts';
import { creation } from './requests.ts';
import type { Row } from './row.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { createVouchers, type RunningService, startServiceProcess } from './start-service.ts';

const MAX_MS = 25;
const ROUNDS = 5;
const ROUND_S = 5;
const STARTS = 5;
const POLL_MS = 5;
/** No sync of a site begins during the measurement. */
const SETTINGS = {
  NODE_OPTIONS: `--import=${new URL('event-loop-watch.js', import.meta.url)}`,
  SYNC_INTERVAL_S: '86400',
};

/** The longest block since the last call, or since the start of the service. */
async function longestBlockMs(service: RunningService): Promise<number> {
  const file = join(service.dataDir, 'longest-block');
  service.process.kill('SIGUSR2');
  while (!existsSync(file)) await sleep(POLL_MS);
  const ms = Number(readFileSync(file, 'utf8'));
  rmSync(file);
  return ms;
}

async function measureMixture(): Promise<number> {
  const { load, service, stop } = await startMixture(SETTINGS);
  const blocks: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    await measureLoad({ ...load, seconds: ROUND_S });
    blocks.push(await longestBlockMs(service));
  }
  await stop();
  // The first round is a warm-up.
  return median(blocks.slice(1));
}

async function makeInstallation(dataDir: string, connection: Parameters<typeof addSite>[2]) {
  const service = await startServiceProcess(dataDir, SETTINGS);
  await createVouchers(service, 200);
  const login = { email: 'admin@localhost', password: service.adminPassword };
  const headers = { cookie: await loginToService(service.url, login) };
  const firsts: Record<string, Request> = {
    'creation over `unifi`': creation(service.keyText, addSite(service, 'unifi', connection)),
    page: { path: '/vouchers', headers },
    'page of slips': { path: '/vouchers/print?voucher=1', headers },
    PDF: { path: '/vouchers/pdf?voucher=1', headers },
  };
  await service.stop();
  return firsts;
}

/** Starts the package several times and sends it each request once. */
async function measureFirsts(): Promise<Map<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const program = join(buildPackage(), 'bin', 'gastpass');
  const console = await startConsoleProcess();
  const firsts = await makeInstallation(dataDir, console.connection);
  const blocks = new Map<string, number[]>(Object.keys(firsts).map((name) => [name, []]));
  // The first start is a warm-up: it fills the cache of compiled code.
  for (let start = 0; start <= STARTS; start++) {
    const service = await startServiceProcess(dataDir, SETTINGS, program);
    const pool = new Pool(service.url, { connections: 1 });
    await longestBlockMs(service);
    for (const [name, request] of Object.entries(firsts)) {
      await sendOnce(pool, request);
      const ms = await longestBlockMs(service);
      if (start > 0) blocks.get(name)?.push(ms);
    }
    await pool.close();
    await service.stop();
  }
  await console.stop();
  rmSync(dataDir, { recursive: true });
  return new Map([...blocks].map(([name, all]) => [name, median(all)]));
}

export async function benchStalls(): Promise<Row[]> {
  const mixture: Row = {
    name: 'longest block of the event loop, 90 % lists, 9 % creations, 1 % pages',
    unit: 'ms',
    ours: { value: await measureMixture() },
    goal: { atMost: MAX_MS },
  };
  const firsts = [...(await measureFirsts())].map(
    ([name, value]): Row => ({
      name: `longest block of the event loop, first ${name} after a start`,
      unit: 'ms',
      ours: { value },
    }),
  );
  return [mixture, ...firsts];
}
