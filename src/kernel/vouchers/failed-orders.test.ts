// Tests that equal failures are summed up in the audit log, and that the last failure of a site is written now and
// then.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { actorOf } from '../../../tests/support/actors.ts';
import { makeFakeClock } from '../../../tests/support/fake-clock.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import {
  type FailedOrder,
  type LastFailure,
  makeFailedOrderNotes,
  REMEMBERED_EVERY_MS,
  SUMMED_UP_MS,
} from './failed-orders.ts';

const failed: FailedOrder = {
  action: 'voucher.not-created',
  site: { id: asSiteId(1), name: 'Haus A' },
  cause: 'nobody-answers',
  count: 1,
  actor: actorOf('API: Kasse'),
};

function setup() {
  const clock = makeFakeClock();
  const counts: number[] = [];
  const last = new Map<SiteId, LastFailure>();
  let remembered = 0;
  const notes = makeFailedOrderNotes({
    clock,
    log: undefined,
    failedOrders: {
      async audit({ count }) {
        counts.push(count);
      },
      async remember(siteId, failure) {
        last.set(siteId, failure);
        remembered++;
      },
      forget: async () => {},
      forgetPast: async () => {},
      list: async () => last,
      find: async (siteId) => last.get(siteId),
    },
  });
  return { clock, counts, last, ...notes, remembered: () => remembered };
}

test('a client that keeps trying gets one entry at once, and one with the count of the rest', async () => {
  const { clock, counts, noteFailedOrder, flushFailedOrders } = setup();
  for (let times = 0; times < 100; times++) await noteFailedOrder(failed);
  await flushFailedOrders();
  assert.deepEqual(counts, [1]);
  clock.advance(SUMMED_UP_MS);
  await flushFailedOrders();
  assert.deepEqual(counts, [1, 99]);
  clock.advance(SUMMED_UP_MS);
  await flushFailedOrders();
  assert.deepEqual(counts, [1, 99], 'nothing failed since');
});

test('another cause, user or site gets an entry of its own', async () => {
  const { counts, noteFailedOrder } = setup();
  await noteFailedOrder(failed);
  await noteFailedOrder({ ...failed, cause: 'busy' });
  await noteFailedOrder({ ...failed, actor: actorOf('Web: Rita') });
  await noteFailedOrder({ ...failed, site: { id: asSiteId(2), name: 'Haus B' } });
  assert.deepEqual(counts, [1, 1, 1, 1]);
});

test('what was counted is written when the service stops', async () => {
  const { counts, noteFailedOrder, flushFailedOrders } = setup();
  for (let times = 0; times < 3; times++) await noteFailedOrder(failed);
  await flushFailedOrders({ isLast: true });
  assert.deepEqual(counts, [1, 2]);
});

test('the last failure of a site is written again after some seconds, also if the clock was set back', async () => {
  const { clock, last, noteFailedOrder, remembered } = setup();
  for (let times = 0; times < 3; times++) await noteFailedOrder(failed);
  assert.equal(remembered(), 1);
  clock.advance(REMEMBERED_EVERY_MS);
  await noteFailedOrder(failed);
  assert.equal(remembered(), 2);
  clock.advance(-1);
  await noteFailedOrder(failed);
  assert.equal(remembered(), 3);
  last.clear();
  await noteFailedOrder({ ...failed, cause: 'busy' });
  assert.equal(remembered(), 3, 'an overload passes by itself');
  await noteFailedOrder(failed);
  assert.equal(remembered(), 4, 'the site had worked since');
});
