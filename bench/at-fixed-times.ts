// Sends requests at fixed times: a request that waits for a blocked service does not delay the next one.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'undici';
import type { Request } from './load.ts';

export interface AtFixedTimes {
  pool: Pool;
  request: Request;
  everyMs: number;
  /** Asked before each request. */
  goesOn(): boolean;
}

/** Returns how long each request took, in milliseconds and in ascending order. */
export async function sendAtFixedTimes({ pool, request, everyMs, goesOn }: AtFixedTimes): Promise<number[]> {
  const tookMs: number[] = [];
  const send = async () => {
    const sentAt = performance.now();
    await sendOnce(pool, request);
    tookMs.push(performance.now() - sentAt);
  };
  const sent: Promise<void>[] = [];
  for (let dueAt = performance.now(); goesOn(); dueAt += everyMs) {
    sent.push(send());
    await sleep(Math.max(0, dueAt + everyMs - performance.now()));
  }
  await Promise.all(sent);
  return tookMs.sort((one, other) => one - other);
}

/** Throws if the request is refused. */
export async function sendOnce(pool: Pool, { path, headers, body: content }: Request): Promise<void> {
  const method = content === undefined ? 'GET' : 'POST';
  const { statusCode, body } = await pool.request({ method, path, headers, body: content ?? null });
  await body.dump();
  if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}`);
}

export function during(durationMs: number): () => boolean {
  const endsAt = performance.now() + durationMs;
  return () => performance.now() < endsAt;
}

export function quantile(ascending: number[], share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? Number.NaN;
}
