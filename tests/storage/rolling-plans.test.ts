// Tests that the cost of a look at a rolling code does not grow with the number of vouchers.

import { after, before, test } from 'node:test';
import { makeRollingStore } from '../../src/features/screens/rolling-store.ts';
import { asScreenId } from '../../src/kernel/ids.ts';
import { openPlans, type Plans } from './plans.ts';

let database: Plans['database'];
let assertDirect: Plans['assertDirect'];
let close: Plans['close'];
before(() => {
  ({ database, assertDirect, close } = openPlans());
});
after(() => close());

test('a look at a rolling code reads its screen and one voucher', async () => {
  const { find, findByToken } = makeRollingStore(database);
  await assertDirect(() => find(asScreenId(1)), /SEARCH vouchers USING INTEGER PRIMARY KEY/);
  await assertDirect(() => findByToken('hash'), /SEARCH screens USING INDEX/);
});
