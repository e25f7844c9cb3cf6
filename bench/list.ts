// How close the list of 200 vouchers comes to a bare node:http server that sends the same bytes.
// Rounds alternate between the two, so a noisy machine disturbs both alike; the medians are compared.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median } from './median.ts';
import { startServiceProcess } from './start-service.ts';

const CONNECTIONS = 20;
const ROUNDS = 7;
const ROUND_S = 3;

async function perSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: ROUND_S });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.total / result.duration;
}

async function startRaw(body: string): Promise<{ url: string; stop(): void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('raw-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(body);
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), stop: () => child.kill() };
}

export async function benchList() {
  const service = await startServiceProcess();
  const headers = { authorization: `Bearer ${service.keyText}` };
  const url = `${service.url}/api/vouchers.php`;
  for (let i = 0; i < 200; i++) {
    const body = JSON.stringify({ site_id: 1, name: `Zimmer ${i}` });
    const made = await fetch(url, { method: 'POST', headers, body });
    if (made.status !== 201) throw new Error(`POST answered ${made.status}`);
  }
  const list = `${url}?site_id=1`;
  const raw = await startRaw(await (await fetch(list, { headers })).text());

  const ours: number[] = [];
  const theirs: number[] = [];
  await perSecond(list, headers);
  await perSecond(raw.url, {});
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await perSecond(list, headers));
    theirs.push(await perSecond(raw.url, {}));
  }
  raw.stop();
  await service.stop();
  return { listPerS: median(ours), rawPerS: median(theirs), ratio: median(ours) / median(theirs) };
}

if (import.meta.main) console.log(await benchList());
