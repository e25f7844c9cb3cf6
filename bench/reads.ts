// Compares the API's reads and refusals with a bare node:http server that sends the same bytes. Rounds alternate between
// the two, so that a noisy machine disturbs both equally; the medians are compared.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { type Load, type Measured, measureLoad } from './load.ts';
import { median } from './median.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = 32;
const ROUNDS = 5;
const ROUND_S = 2;
const VOUCHERS = 200;

interface Read {
  name: string;
  path: string;
  headers: Record<string, string>;
}

/** What is measured of a read, in medians. */
export interface ReadResult {
  name: string;
  service: Measured;
  bare: Measured;
  ratio: number;
}

async function fill({ url, keyText }: RunningService): Promise<void> {
  for (let i = 0; i < VOUCHERS; i++) {
    const body = JSON.stringify({ site_id: 1, name: `Zimmer ${i}` });
    const headers = { authorization: `Bearer ${keyText}` };
    const made = await fetch(`${url}/api/vouchers.php`, { method: 'POST', headers, body });
    if (made.status !== 201) throw new Error(`POST answered ${made.status}`);
  }
}

function createLimitedKey({ dataDir }: RunningService): string {
  const program = fileURLToPath(new URL('../bin/gastpass.js', import.meta.url));
  const options = [
    'keys',
    'create',
    '--name',
    'limited',
    '--scope',
    'read',
    '--rate-limit',
    '1000000',
    '--json',
  ];
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...options], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir },
    encoding: 'utf8',
  });
  const key = /gpk_[0-9A-Za-z]+/.exec(stdout)?.[0];
  if (!key) throw new Error(stderr);
  return key;
}

async function startBare(status: number, body: string) {
  const program = fileURLToPath(new URL('raw-server.ts', import.meta.url));
  const child = spawn(process.execPath, [program, String(status)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), pid: child.pid, stop: () => child.kill() };
}

async function benchRead(service: RunningService, { name, path, headers }: Read): Promise<ReadResult> {
  const url = `${service.url}${path}`;
  const answer = await fetch(url, { headers });
  const bare = await startBare(answer.status, await answer.text());
  const load = { connections: CONNECTIONS, seconds: ROUND_S, isRefused: answer.status >= 400 };
  const sides: { load: Load; rounds: Measured[] }[] = [
    { load: { ...load, url, headers, pid: service.process.pid }, rounds: [] },
    { load: { ...load, url: bare.url, headers, pid: bare.pid }, rounds: [] },
  ];
  // The first round of each is a warm-up and does not count.
  for (let round = 0; round <= ROUNDS; round++)
    for (const side of sides) {
      const measured = await measureLoad(side.load);
      if (round > 0) side.rounds.push(measured);
    }
  bare.stop();
  const [ours, theirs] = sides.map(({ rounds }) => ({
    perS: median(rounds.map(({ perS }) => perS)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
  }));
  if (!ours || !theirs) throw new Error('not measured');
  return { name, service: ours, bare: theirs, ratio: ours.perS / theirs.perS };
}

export async function benchReads(): Promise<ReadResult[]> {
  const service = await startServiceProcess();
  await fill(service);
  const key = { authorization: `Bearer ${service.keyText}` };
  const limited = { authorization: `Bearer ${createLimitedKey(service)}` };
  const list = '/api/vouchers.php?site_id=1';
  const { headers } = await fetch(`${service.url}${list}`, { headers: key });
  const reads: Read[] = [
    { name: 'list of 200, key without limit', path: list, headers: key },
    { name: 'list of 200, key with a limit', path: list, headers: limited },
    { name: '304', path: list, headers: { ...key, 'if-none-match': headers.get('etag') ?? '' } },
    { name: 'GET /sites.php', path: '/api/sites.php', headers: key },
    { name: '401, no key', path: list, headers: {} },
    {
      name: '401, wrong key',
      path: list,
      headers: { authorization: `Bearer ${service.keyText.slice(0, -1)}x` },
    },
    { name: 'openapi.php', path: '/api/openapi.php', headers: key },
  ];
  const results: ReadResult[] = [];
  for (const read of reads) results.push(await benchRead(service, read));
  await service.stop();
  return results;
}

if (import.meta.main)
  for (const { name, service, bare, ratio } of await benchReads())
    console.log(
      `${name}: ${Math.round(service.perS)}/s of ${Math.round(bare.perS)}/s = ${ratio.toFixed(2)}, ${service.cpuUs.toFixed(0)} of ${bare.cpuUs.toFixed(0)} µs`,
    );
