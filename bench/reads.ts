// Compares the API's reads and refusals with a bare node:http server that sends the same bytes.

import { measureLoad, type StartedLoad } from './load.ts';
import { median } from './median.ts';
import { peakMb } from './memory.ts';
import { list, makeWrong } from './requests.ts';
import { cpuBoundRow, measureInTurns, mediansOf, type Row, type Sides } from './row.ts';
import { startBareServer } from './start-bare.ts';
import {
  createLimitedKey,
  createVouchers,
  type RunningService,
  startServiceProcess,
} from './start-service.ts';

const CONNECTIONS = 32;
/** Two processes of the same program differ by up to 6 %, depending on when V8 compiles what. */
const PROCESSES = 3;
const ROUNDS = 3;
const ROUND_S = 2;
const MAX_MB = 160;

interface Read {
  path: string;
  headers: Record<string, string>;
}

const GOALS = {
  'list of 200, key without limit': { ratio: 0.88 },
  'list of 200, key with a limit': { cpuAtMost: 90 },
  '304': { ratio: 0.88 },
  'GET /v1/vouchers, 200': { ratio: 0.6 },
  'GET /sites.php': { ratio: 0.85 },
  '401, no key': { ratio: 0.85 },
  '401, wrong key': { cpuAtMost: 75 },
  'openapi.php': { ratio: 0.88 },
};
type Name = keyof typeof GOALS;
const NAMES = Object.keys(GOALS) as Name[];

async function readsOf(service: RunningService): Promise<Record<Name, Read>> {
  const { path, headers } = list(service.keyText);
  const etag = (await fetch(service.url + path, { headers })).headers.get('etag') ?? '';
  return {
    'list of 200, key without limit': { path, headers },
    'list of 200, key with a limit': list(createLimitedKey(service)),
    '304': { path, headers: { ...headers, 'if-none-match': etag } },
    'GET /v1/vouchers, 200': { path: '/api/v1/vouchers?site=1&limit=200', headers },
    'GET /sites.php': { path: '/api/sites.php', headers },
    '401, no key': { path, headers: {} },
    '401, wrong key': list(makeWrong(service.keyText)),
    'openapi.php': { path: '/api/openapi.php', headers: {} },
  };
}

async function startService(): Promise<RunningService> {
  const service = await startServiceProcess();
  await createVouchers(service, 200);
  return service;
}

export async function startRead(name: Name): Promise<StartedLoad> {
  const service = await startService();
  const read = (await readsOf(service))[name];
  return { load: await loadOf(service, read), stop: service.stop };
}

async function loadOf({ url, process }: RunningService, read: Read) {
  const { status } = await fetch(url + read.path, { headers: read.headers });
  const isRefused = status >= 400;
  return { url, pid: process.pid, requests: [read], connections: CONNECTIONS, isRefused };
}

async function measureRead(service: RunningService, read: Read): Promise<Sides> {
  const bare = await startBareServer(await fetch(service.url + read.path, { headers: read.headers }));
  const load = { ...(await loadOf(service, read)), seconds: ROUND_S };
  const sides = await measureInTurns(
    () => measureLoad(load),
    () => measureLoad({ ...load, url: bare.url, pid: bare.process.pid }),
    ROUNDS,
  );
  await bare.stop();
  return sides;
}

export async function benchReads(): Promise<Row[]> {
  const measured = new Map<Name, Sides[]>();
  const peaks: number[] = [];
  for (let started = 0; started < PROCESSES; started++) {
    const service = await startService();
    const reads = await readsOf(service);
    for (const name of NAMES)
      measured.set(name, [...(measured.get(name) ?? []), await measureRead(service, reads[name])]);
    peaks.push(peakMb(service.process.pid));
    await service.stop();
  }
  const rows = [...measured].map(([name, sides]) => cpuBoundRow(name, mediansOf(sides), GOALS[name]));
  const ours = { value: median(peaks) };
  return [...rows, { name: 'memory under load of reads', unit: 'MB', ours, goal: { atMost: MAX_MB } }];
}
