// How long lists take while vouchers are created on a slow disk. Both are requested at fixed times.

import { Pool } from 'undici';
import { during, quantile, sendAtFixedTimes } from './at-fixed-times.ts';
import type { Request } from './load.ts';
import { median } from './median.ts';
import { creation, list } from './requests.ts';
import type { Row } from './row.ts';
import { buildSlowSyncs } from './slow-syncs.ts';
import { createVouchers, type RunningService, startServiceProcess } from './start-service.ts';

const DISKS = [
  { syncMs: 4, creationsPerS: 120, maxP99Ms: 12 },
  { syncMs: 8, creationsPerS: 40, maxP99Ms: 15 },
];
const MAX_P50_MS = 1;
const LISTS_PER_S = 200;
const LISTED = 200;
const CONNECTIONS = 32;
const WARM_UP_MS = 3_000;
const ROUND_MS = 10_000;
const ROUNDS = 3;

async function measureRound({ url, keyText }: RunningService, creationsPerS: number, ms: number) {
  const goesOn = during(ms);
  const send = async (request: Request, perS: number) => {
    const pool = new Pool(url, { connections: CONNECTIONS });
    const tookMs = await sendAtFixedTimes({ pool, request, everyMs: 1_000 / perS, goesOn });
    await pool.close();
    return tookMs;
  };
  const [lists, creations] = await Promise.all([
    send(list(keyText), LISTS_PER_S),
    send(creation(keyText), creationsPerS),
  ]);
  return { p50: quantile(lists, 0.5), p99: quantile(lists, 0.99), creation: quantile(creations, 0.5) };
}

async function measure(settings: Record<string, string>, creationsPerS: number) {
  const service = await startServiceProcess(undefined, settings);
  await createVouchers(service, LISTED);
  await measureRound(service, creationsPerS, WARM_UP_MS);
  const rounds: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (let round = 0; round < ROUNDS; round++)
    rounds.push(await measureRound(service, creationsPerS, ROUND_MS));
  await service.stop();
  return {
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    creation: median(rounds.map(({ creation }) => creation)),
  };
}

export async function benchDisk(): Promise<Row[]> {
  const slowSyncs = buildSlowSyncs();
  if (!slowSyncs) {
    console.error('left out: slow disks are simulated by a library that needs a C compiler (cc)');
    return [];
  }
  const rows: Row[] = [];
  for (const { syncMs, creationsPerS, maxP99Ms } of DISKS) {
    const { p50, p99, creation } = await measure(slowSyncs(syncMs), creationsPerS);
    if (creation < syncMs) throw new Error('creations did not wait for a slow sync');
    const row = (what: string, value: number, goal?: Row['goal']): Row => ({
      name: `${what}, ${creationsPerS} creations/s, syncs of ${syncMs} ms`,
      unit: 'ms',
      ours: { value },
      ...(goal && { goal }),
    });
    rows.push(
      row('lists at 200/s, p50', p50, { atMost: MAX_P50_MS }),
      row('lists at 200/s, p99', p99, { atMost: maxP99Ms }),
      row('creations beside lists, p50', creation),
    );
  }
  return rows;
}
