// How long creations take for a few callers who create vouchers one after another.

import { Pool } from 'undici';
import { median } from './median.ts';
import { creation } from './requests.ts';
import type { RunningService } from './start-service.ts';

const CONNECTIONS = 10;

interface Creations {
  count: number;
  /** Another key than the first one. */
  keyText?: string;
  headers?: Record<string, string>;
}

export async function timeCreations(
  service: RunningService,
  { count, keyText = service.keyText, headers: more }: Creations,
): Promise<{ medianMs: number; p99Ms: number }> {
  const pool = new Pool(service.url, { connections: CONNECTIONS });
  const { path, headers, body = '' } = creation(keyText);
  const request = {
    path,
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', ...more },
    body,
  } as const;
  const times: number[] = [];
  const create = async () => {
    const startedAt = performance.now();
    const { statusCode, body } = await pool.request(request);
    await body.dump();
    if (statusCode !== 201) throw new Error(`a creation was answered ${statusCode}`);
    times.push(performance.now() - startedAt);
  };
  const caller = async () => {
    for (let turn = 0; turn < count / CONNECTIONS; turn++) await create();
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  await pool.close();
  times.sort((one, other) => one - other);
  return { medianMs: median(times), p99Ms: times[Math.floor(times.length * 0.99)] ?? 0 };
}
