// How much a webhook whose target accepts connections and never responds delays the creation of vouchers: the 99th
// percentile of the creation time, without any webhook and with that webhook. Rounds alternate.

import { createServer, type Socket } from 'node:net';
import { Pool } from 'undici';
import { median } from './median.ts';
import type { Row } from './row.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = 10;
const PER_ROUND = 2_000;
const ROUNDS = 7;
const BODY = JSON.stringify({ site_id: 1, name: 'Zimmer 12' });

async function startBlackHole() {
  const held = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    held.add(socket);
    socket.on('error', () => {}).on('close', () => held.delete(socket));
    socket.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('the black hole has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    calls: () => calls,
    stop() {
      server.close();
      for (const socket of held) socket.destroy();
    },
  };
}

/** Each connection creates vouchers one after another. */
async function p99Of({ url, keyText }: RunningService): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const headers = { authorization: `Bearer ${keyText}`, 'content-type': 'application/json' };
  const times: number[] = [];
  const create = async () => {
    const startedAt = performance.now();
    const request = { path: '/api/vouchers.php', method: 'POST', headers, body: BODY } as const;
    const { statusCode, body } = await pool.request(request);
    await body.dump();
    if (statusCode !== 201) throw new Error(`a creation was answered ${statusCode}`);
    times.push(performance.now() - startedAt);
  };
  const caller = async () => {
    for (let turn = 0; turn < PER_ROUND / CONNECTIONS; turn++) await create();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  await pool.close();
  times.sort((one, other) => one - other);
  return times[Math.floor(times.length * 0.99)] ?? 0;
}

export async function benchBlackHole(): Promise<Row[]> {
  const blackHole = await startBlackHole();
  const [without, beside] = await Promise.all([startServiceProcess(), startServiceProcess()]);
  beside.run(['webhooks', 'add', '--url', blackHole.url, '--format', 'generic']);
  const p99s: Record<'without' | 'beside', number[]> = { without: [], beside: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    // The service that is measured second finds a warm disk, so the order alternates.
    const first = round % 2 === 0 ? await p99Of(without) : undefined;
    const second = await p99Of(beside);
    const third = first ?? (await p99Of(without));
    // The first round is a warm-up.
    if (round === 0) continue;
    p99s.without.push(third);
    p99s.beside.push(second);
  }
  const calls = blackHole.calls();
  await Promise.all([without.stop(), beside.stop()]);
  blackHole.stop();
  if (calls === 0) throw new Error('the black hole was never called');

  return [
    {
      name: 'p99 of creations beside a webhook that never answers (bare: without)',
      unit: 'ms',
      bare: { value: median(p99s.without) },
      ours: { value: median(p99s.beside) },
    },
  ];
}
