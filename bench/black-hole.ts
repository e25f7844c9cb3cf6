// How much a webhook whose target accepts connections and never responds delays the creation of vouchers: the 99th
// percentile of the creation time, without any webhook and with that webhook. Rounds alternate.

import { timeCreations } from './creation-times.ts';
import { median } from './median.ts';
import type { Row } from './row.ts';
import { startBlackHole } from './start-black-hole.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const PER_ROUND = 2_000;
const ROUNDS = 7;

const p99Of = async (service: RunningService) => (await timeCreations(service, { count: PER_ROUND })).p99Ms;

export async function benchBlackHole(): Promise<Row[]> {
  const blackHole = await startBlackHole();
  const [without, beside] = await Promise.all([startServiceProcess(), startServiceProcess()]);
  beside.run(['webhooks', 'add', '--url', `http://127.0.0.1:${blackHole.port}`, '--format', 'generic']);
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
