// Tests the limits of screens and the approval of requests: the place is taken with the intent, on two instances at
// once, and given back if no voucher was created.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { asGuestRequestId, asScreenId, asTermsId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { OrderPurpose } from '../../src/kernel/vouchers/order-purpose.ts';
import { settle } from '../faults/bookkeeping.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addRequest, addScreen, ordersOf, siteId } from './support.ts';

const FORGET_MS = 80_000;
const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
let other: Installation;
let order: ReturnType<typeof ordersOf>;
let orderThere: ReturnType<typeof ordersOf>;

before(async () => {
  service = await startTestService({ jobs: false });
  other = await openInstallation(service.config, service.clock);
  order = ordersOf(service.beside);
  orderThere = ordersOf(other);
});
after(async () => {
  await other.close();
  await service.stop();
});

const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);
const stateOf = (id: number) => service.rows('select * from guest_requests where id = ?', id)[0];

/** Leaves an open intent, as if the process had died before the controller responded. */
async function leaveIntent(purpose: OrderPurpose) {
  const opened = await service.beside.vouchers.begin({
    siteId,
    siteName: 'Demo',
    order: {
      name: '2026-01-15_nie',
      maxUses: 1,
      expireMinutes: 5,
      downKbps: 0,
      upKbps: 0,
      quotaMb: 0,
    },
    actor: TESTER,
    purpose,
  });
  return opened;
}

test('40 orders at once on two instances, at a limit of 10 a minute, make exactly 10 vouchers', async () => {
  const screenId = addScreen(service, { per_minute: 10 });
  const purpose = { kind: 'screen', screenId } as const;
  const terms = { termsId: asTermsId(7), acceptedAtS: 123 };
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, (_, n) => (n % 2 ? order : orderThere)(purpose, { terms })),
  );
  assert.equal(outcomes.filter(({ created }) => created.length === 1).length, 10);
  const refused = outcomes.flatMap(({ problem }) => (problem ? [problem] : []));
  assert.deepEqual([...new Set(refused.map(({ kind }) => kind))], ['screen-limit']);
  assert.equal(count(`vouchers where screen_id = ${screenId}`), 10);
  assert.equal(count(`vouchers where terms_id = 7 and terms_accepted_at_s = 123`), 10);
  assert.equal(count('intents'), 0);
});

test('places become free after a minute, up to the limit of the day, and the wait is told', async () => {
  const screenId = addScreen(service, { per_minute: 2, per_day: 3 });
  const purpose = { kind: 'screen', screenId } as const;
  await order(purpose);
  service.clock.advance(10_000);
  await order(purpose);
  assert.deepEqual((await order(purpose)).problem, { kind: 'screen-limit', retryAfterS: 50 });
  service.clock.advance(50_000);
  assert.equal((await order(purpose)).created.length, 1);
  service.clock.advance(DAY_MS / 2);
  assert.deepEqual((await order(purpose)).problem, { kind: 'screen-limit', retryAfterS: DAY_MS / 2000 - 60 });
  service.clock.advance(DAY_MS / 2);
  assert.equal((await order(purpose)).created.length, 1);
});

test('a clock that was ahead for a while does not block a screen', async () => {
  const screenId = addScreen(service, { per_minute: 1, per_day: 1 });
  const purpose = { kind: 'screen', screenId } as const;
  service.clock.advance(800 * DAY_MS);
  assert.equal((await order(purpose)).created.length, 1);
  service.clock.advance(-800 * DAY_MS);
  assert.equal((await order(purpose)).created.length, 1);
});

test('an open intent takes a place, and gives it back when it is settled without a voucher', async () => {
  const screenId = addScreen(service, { per_minute: 1 });
  const purpose = { kind: 'screen', screenId } as const;
  assert.equal((await leaveIntent(purpose)).ok, true);
  assert.equal((await order(purpose)).problem?.kind, 'screen-limit');
  service.clock.advance(FORGET_MS);
  assert.equal((await settle(service.beside)).forgotten, 1);
  assert.equal((await order(purpose)).created.length, 1);
});

test('a screen that is gone, or belongs to another site, gets no voucher', async () => {
  const gone = { kind: 'screen', screenId: asScreenId(999) } as const;
  assert.deepEqual((await order(gone)).problem, { kind: 'screen-gone' });
  const elsewhere = await service.addSite();
  const screenId = addScreen(service, { site_id: elsewhere });
  assert.deepEqual((await order({ kind: 'screen', screenId })).problem, { kind: 'screen-gone' });
});

test('a request that 20 users approve at once on two instances gets one voucher', async () => {
  const requestId = addRequest(service, 'one');
  const purpose = { kind: 'request', requestId } as const;
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? order : orderThere)(purpose)),
  );
  const [made, ...more] = outcomes.flatMap(({ created }) => created);
  assert.ok(made && more.length === 0);
  assert.deepEqual(
    [...new Set(outcomes.flatMap(({ problem }) => (problem ? [problem.kind] : [])))],
    ['request-decided'],
  );
  assert.partialDeepStrictEqual(
    { ...stateOf(requestId) },
    {
      state: 'approved',
      voucher_id: made.id,
      decided_by: 'CLI: test',
      decided_at_ms: service.clock.nowMs(),
    },
  );
});

test('a request waits again when its order is settled without a voucher', async () => {
  const requestId = addRequest(service, 'two');
  const purpose = { kind: 'request', requestId } as const;
  assert.equal((await leaveIntent(purpose)).ok, true);
  assert.equal(stateOf(requestId)?.state, 'approving');
  assert.deepEqual((await order(purpose)).problem, { kind: 'request-decided' });
  service.clock.advance(FORGET_MS);
  assert.equal((await settle(service.beside)).forgotten, 1);
  assert.equal(stateOf(requestId)?.state, 'waiting');
});

test('nothing is ordered for a purpose while an instance of an older release runs', async () => {
  const old = { id: 'old', name: 'web-2:8080', release: '0.2.0', schemaVersion: 1 };
  await service.beside.instances.note(old);
  for (const purpose of [
    { kind: 'stock', screenId: null },
    { kind: 'screen', screenId: addScreen(service) },
    { kind: 'request', requestId: asGuestRequestId(1) },
  ] as const)
    assert.equal((await order(purpose)).problem?.kind, 'instance-outdated');
  await service.beside.instances.forget('old');
});
