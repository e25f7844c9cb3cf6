// A short version of `npm run rel -- powercut`: what a disk can hold after a power cut has every acknowledged voucher.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadRecording, recordOrders } from '../../rel/powercut/record-orders.ts';
import { type CutsReport, tryCuts } from '../../rel/powercut/try-cuts.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const ORDERS = 600;
const CUTS = 200;

async function cutPower({ isSynced }: { isSynced: boolean }): Promise<CutsReport> {
  const { folder, remove } = makeFolder();
  try {
    await recordOrders(folder, { orders: ORDERS, isSynced });
    return await tryCuts(loadRecording(folder), { cuts: CUTS, seed: 1 });
  } finally {
    remove();
  }
}

test('after a power cut, every acknowledged voucher and every order sent to a console is recorded', async () => {
  const { faults, inCheckpoints, afterRestarts } = await cutPower({ isSynced: true });
  assert.deepEqual(faults, []);
  assert.ok(inCheckpoints > 0 && afterRestarts > 0);
});

test('without syncs, most power cuts lose vouchers', async () => {
  const { faults } = await cutPower({ isSynced: false });
  assert.ok(faults.length > CUTS / 2, `only ${faults.length} of ${CUTS} cuts lose something`);
});
