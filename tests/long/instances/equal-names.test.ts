// Orders with equal names on several instances at once: each caller gets a different voucher, and the console has
// exactly these vouchers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runEqualNames } from '../../../rel/instances/equal-names.ts';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';

const ORDERS = 300;
const BUSY =
  '503: Der Controller ist ausgelastet. Es wurde kein Voucher erstellt. Bitte später erneut versuchen.';

let fleet: Fleet;
before(async () => {
  // Sync and import run at the same time, as in production.
  fleet = await startFleet(3, { environment: { SYNC_INTERVAL_S: '5' } });
});
after(() => fleet.stop());

for (const kind of ['unifi', 'unifi-classic'] as const)
  test(`${kind}: ${ORDERS} equal orders at once lose, duplicate and orphan no voucher`, async () => {
    const { answers: responses, faults, logins } = await runEqualNames(fleet, { kind, orders: ORDERS });
    // A slow machine refuses orders that it could not finish in time, before anything is sent.
    const { [BUSY]: refused = 0, ...others } = responses;
    assert.deepEqual({ answers: others, faults }, { answers: { 201: ORDERS - refused }, faults: [] });
    assert.ok(refused < ORDERS / 2, `${refused} refused`);
    assert.ok(logins <= fleet.instances.length, `${logins} logins`);
  });
