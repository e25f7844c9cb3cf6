// How long a sync of a site with 50,000 vouchers takes, and how much memory it uses: the first sync, which imports all
// vouchers, a sync without changes, and a sync after some uses. Runs the real command next to a running service.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { Kind } from './bare-upstream.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { rootFolder, startServiceProcess } from './start-service.ts';

const VOUCHERS = 50_000;
const PER_CALL = 10_000;
const USES = 500;
const PEAK_EVERY_MS = 20;

const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

async function callControlApi<CallResponse>(url: string, path: string, json: unknown): Promise<CallResponse> {
  const { statusCode, body } = await request(`${url}/_simulator/${path}`, {
    dispatcher,
    method: 'POST',
    body: JSON.stringify(json),
  });
  if (statusCode >= 300) throw new Error(`the back door answered ${statusCode}: ${await body.text()}`);
  return JSON.parse(await body.text());
}

/** Creates the vouchers on the console. */
export async function fillConsole(url: string): Promise<{ code: string }[]> {
  const order = { count: PER_CALL, note: 'Saison', quota: 3 };
  const made: { code: string }[] = [];
  while (made.length < VOUCHERS)
    made.push(...(await callControlApi<{ vouchers: { code: string }[] }>(url, 'vouchers', order)).vouchers);
  return made;
}

export const closeControlApi = () => dispatcher.close();

async function syncOnce(dataDir: string, siteId: number) {
  const startedAt = performance.now();
  const child = spawn(join(rootFolder(), 'bin', 'gastpass'), ['sync', '--site', String(siteId), '--json'], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMb = 0;
  const watch = setInterval(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    peakMb = Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024 || peakMb;
  }, PEAK_EVERY_MS);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`sync ended with ${code}: ${output}`);
  const [tally]: { listed: number; changed: number; imported: number }[] = JSON.parse(output);
  return { ms: performance.now() - startedAt, peakMb, ...tally };
}

async function measure(kind: Kind) {
  const [service, console] = await Promise.all([startServiceProcess(), startConsoleProcess()]);
  try {
    const { url } = console.connection;
    const made = await fillConsole(url);
    const siteId = addSite(service, kind, console.connection);
    const first = await syncOnce(service.dataDir, siteId);
    const idle = await syncOnce(service.dataDir, siteId);
    for (const { code } of made.slice(0, USES)) await callControlApi(url, 'redeem', { code });
    const used = await syncOnce(service.dataDir, siteId);
    return { first, idle, used };
  } finally {
    await Promise.all([service.stop(), console.stop()]);
  }
}

export async function benchSync() {
  return {
    vouchers: VOUCHERS,
    uses: USES,
    unifi: await measure('unifi'),
    classic: await measure('unifi-classic'),
  };
}

if (import.meta.main) {
  console.log(await benchSync());
  await closeControlApi();
}
