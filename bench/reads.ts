// Compares the API's reads and refusals with a bare node:http server that sends the same bytes.

import { measureLoad } from './load.ts';
import { peakMb } from './memory.ts';
import { cpuBoundRow, measureInTurns, type Row } from './row.ts';
import { startBareServer } from './start-bare.ts';
import {
  createLimitedKey,
  createVouchers,
  type RunningService,
  startServiceProcess,
} from './start-service.ts';

const CONNECTIONS = 32;
const ROUND_S = 2;
const MAX_MB = 160;

interface Read {
  name: string;
  path: string;
  headers: Record<string, string>;
  goal: number;
}

async function benchRead(service: RunningService, { name, path, headers, goal }: Read): Promise<Row> {
  const answer = await fetch(service.url + path, { headers });
  const bare = await startBareServer(answer);
  const load = {
    requests: [{ path, headers }],
    connections: CONNECTIONS,
    seconds: ROUND_S,
    isRefused: answer.status >= 400,
  };
  const sides = await measureInTurns(
    () => measureLoad({ ...load, url: service.url, pid: service.process.pid }),
    () => measureLoad({ ...load, url: bare.url, pid: bare.process.pid }),
  );
  await bare.stop();
  return cpuBoundRow(name, sides, { ratio: goal });
}

export async function benchReads(): Promise<Row[]> {
  const service = await startServiceProcess();
  await createVouchers(service, 200);
  const key = { authorization: `Bearer ${service.keyText}` };
  const limited = { authorization: `Bearer ${createLimitedKey(service)}` };
  const wrong = { authorization: `Bearer ${service.keyText.slice(0, -1)}x` };
  const list = '/api/vouchers.php?site_id=1';
  const { headers } = await fetch(service.url + list, { headers: key });
  const reads: Read[] = [
    { name: 'list of 200, key without limit', path: list, headers: key, goal: 0.88 },
    { name: 'list of 200, key with a limit', path: list, headers: limited, goal: 0.85 },
    { name: '304', path: list, headers: { ...key, 'if-none-match': headers.get('etag') ?? '' }, goal: 0.88 },
    { name: 'GET /sites.php', path: '/api/sites.php', headers: key, goal: 0.85 },
    { name: '401, no key', path: list, headers: {}, goal: 0.85 },
    { name: '401, wrong key', path: list, headers: wrong, goal: 0.85 },
    { name: 'openapi.php', path: '/api/openapi.php', headers: {}, goal: 0.88 },
  ];
  const rows: Row[] = [];
  for (const read of reads) rows.push(await benchRead(service, read));
  const ours = { value: peakMb(service.process.pid) };
  await service.stop();
  return [...rows, { name: 'memory under load of reads', unit: 'MB', ours, goal: { atMost: MAX_MB } }];
}
