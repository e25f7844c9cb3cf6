// Compares the API's reads and refusals with a bare node:http server that sends the same bytes.

import { measureLoad } from './load.ts';
import { median } from './median.ts';
import { peakMb } from './memory.ts';
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
const LIST = '/api/vouchers.php?site_id=1';

interface Read {
  path: string;
  headers: Record<string, string>;
}

/** The least ratio, by read. */
const GOALS = {
  'list of 200, key without limit': 0.88,
  'list of 200, key with a limit': 0.85,
  '304': 0.88,
  'GET /sites.php': 0.85,
  '401, no key': 0.85,
  '401, wrong key': 0.85,
  'openapi.php': 0.88,
};
type Name = keyof typeof GOALS;

async function readsOf(service: RunningService): Promise<[Name, Read][]> {
  const key = { authorization: `Bearer ${service.keyText}` };
  const limited = { authorization: `Bearer ${createLimitedKey(service)}` };
  const wrong = { authorization: `Bearer ${service.keyText.slice(0, -1)}x` };
  const etag = (await fetch(service.url + LIST, { headers: key })).headers.get('etag') ?? '';
  return [
    ['list of 200, key without limit', { path: LIST, headers: key }],
    ['list of 200, key with a limit', { path: LIST, headers: limited }],
    ['304', { path: LIST, headers: { ...key, 'if-none-match': etag } }],
    ['GET /sites.php', { path: '/api/sites.php', headers: key }],
    ['401, no key', { path: LIST, headers: {} }],
    ['401, wrong key', { path: LIST, headers: wrong }],
    ['openapi.php', { path: '/api/openapi.php', headers: {} }],
  ];
}

async function measureRead(service: RunningService, { path, headers }: Read): Promise<Sides> {
  const response = await fetch(service.url + path, { headers });
  const bare = await startBareServer(response);
  const load = {
    requests: [{ path, headers }],
    connections: CONNECTIONS,
    seconds: ROUND_S,
    isRefused: response.status >= 400,
  };
  const sides = await measureInTurns(
    () => measureLoad({ ...load, url: service.url, pid: service.process.pid }),
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
    const service = await startServiceProcess();
    await createVouchers(service, 200);
    for (const [name, read] of await readsOf(service))
      measured.set(name, [...(measured.get(name) ?? []), await measureRead(service, read)]);
    peaks.push(peakMb(service.process.pid));
    await service.stop();
  }
  const rows = [...measured].map(([name, sides]) =>
    cpuBoundRow(name, mediansOf(sides), { ratio: GOALS[name] }),
  );
  const ours = { value: median(peaks) };
  return [...rows, { name: 'memory under load of reads', unit: 'MB', ours, goal: { atMost: MAX_MB } }];
}
