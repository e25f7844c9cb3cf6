// Creating, settling and syncing under random schedules: crashes, frozen processes, lost responses, late creations,
// equal names, two instances with wrong clocks. In the long tier, also checks that the schedules find failures if a
// safeguard is removed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSchedules } from '../../../rel/sim/run-schedules.ts';
import type { Weaken } from '../../../rel/sim/schedule.ts';
import { LATE_CREATION_MS } from '../../../src/kernel/vouchers/settle-intents.ts';
import { REQUEST_DEADLINE_MS } from '../../../src/platform/time/deadline.ts';
import { cases, withMoreCases } from '../../support/more-cases.ts';

const MAX_SEEDS = 4_000;
const SEEDS_AT_ONCE = 200;

const COUNT = cases({ everyday: 150, long: 500 });

test(`${COUNT} schedules lose, duplicate and orphan no voucher`, async () => {
  assert.deepEqual(await runSchedules({ from: 1, count: COUNT }), []);
});

/** Each safeguard, and the seed to begin with: a little below the first seed that fails without the safeguard. */
const without: [safeguard: string, from: number, Weaken][] = [
  [
    'the grace time for late creations',
    1,
    (store) => ({
      ...store,
      listIntents: () =>
        store.listIntents().map((intent) => {
          const isDue = intent.ageMs >= REQUEST_DEADLINE_MS;
          return { ...intent, ageMs: intent.ageMs + (isDue ? LATE_CREATION_MS : 0) };
        }),
    }),
  ],
  [
    'waiting for what an equal intent has yet to get',
    3_201,
    (store) => ({ ...store, recover: store.record }),
  ],
  [
    'the rule that import leaves alone what an intent could claim',
    1,
    (store) => ({
      ...store,
      importForeign: (vouchers) =>
        store.importForeign(vouchers.map((voucher) => ({ ...voucher, name: 'of any name' }))),
    }),
  ],
];

for (const [safeguard, from, weaken] of withMoreCases ? without : [])
  test(`without ${safeguard}, the schedules find failures`, async () => {
    assert.ok(await findFailure(from, weaken), `no failure in ${MAX_SEEDS} schedules`);
  });

async function findFailure(first: number, weaken: Weaken): Promise<boolean> {
  for (let from = first; from < first + MAX_SEEDS; from += SEEDS_AT_ONCE)
    if ((await runSchedules({ from, count: SEEDS_AT_ONCE }, weaken)).length > 0) return true;
  return false;
}
