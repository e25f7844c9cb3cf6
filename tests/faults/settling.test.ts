// Requests that ended with an unknown outcome: when their intents are settled, when they are deleted, and that a
// voucher found late is recorded, listed and announced like any other.

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Controller, UpstreamOrder } from '../../src/kernel/controllers/controller.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import type { Intent } from '../../src/kernel/vouchers/voucher-records.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import { actorOf } from '../support/actors.ts';
import { engine } from '../support/engine.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { assertInBalance, settle } from './bookkeeping.ts';

const DEADLINE_MS = 20_000;
const FORGET_MS = 80_000;

let service: TestService;
let controller: SimulatedVouchers;
let order: UpstreamOrder;
let orders = 0;
const { folder: dataDir, remove } = makeFolder();
before(async () => {
  service = await startTestService({ dataDir, webhook: true, jobs: false });
  controller = openSimulatedVouchers(dataDir);
});
beforeEach(() => {
  order = {
    name: `2026-01-15_${++orders}`,
    maxUses: 1,
    expireMinutes: 5,
    downKbps: 0,
    upKbps: 0,
    quotaMb: 0,
  };
});
afterEach(() => {
  assertInBalance(dataDir);
});
after(async () => {
  controller.close();
  await service.stop();
  remove();
});

/** Leaves an open intent, as if the process had died before the controller responded. */
async function leaveIntent(siteId = 1, source = 'API: Theke'): Promise<Intent> {
  const by = { siteName: 'Demo', actor: actorOf(source), createdAtMs: service.clock.nowMs() };
  const opened = await service.beside.vouchers.begin({ siteId: asSiteId(siteId), order, ...by });
  const [intent] = opened.ok ? opened.value : [];
  assert.ok(intent);
  return intent;
}

const settleNow = () => settle(service.beside);
const createLate = (fields: Partial<UpstreamOrder> = {}) =>
  controller.create('1/default', { ...order, ...fields }, service.clock.nowMs());
const list = async () => (await service.call('GET', 'vouchers.php?site_id=1')).json.vouchers;

test('an intent that a request may still fulfil is not settled', async () => {
  await leaveIntent();
  createLate();
  service.clock.advance(DEADLINE_MS - 1);
  assert.deepEqual(await settleNow(), { recorded: 0, forgotten: 0, open: 1, nextDueMs: 1 });
  service.clock.advance(1);
  assert.deepEqual(await settleNow(), { recorded: 1, forgotten: 0, open: 0 });
});

test('an intent whose request is dead is settled at once, but deleted no earlier than others', async () => {
  const found = await leaveIntent();
  createLate();
  order = { ...order, maxUses: 2 };
  const missing = await leaveIntent();
  const dead = { ...service.beside, leftIntents: new Set([found.id, missing.id]) };
  assert.deepEqual(await settle(dead), { recorded: 1, forgotten: 0, open: 1 });
  service.clock.advance(FORGET_MS - 1);
  assert.deepEqual(await settle(dead), { recorded: 0, forgotten: 0, open: 1 });
  service.clock.advance(1);
  assert.deepEqual(await settle(dead), { recorded: 0, forgotten: 1, open: 0 });
});

test('an intent without a voucher is deleted when the grace period is over, and not before', async () => {
  await leaveIntent();
  service.clock.advance(FORGET_MS - 1);
  assert.deepEqual(await settleNow(), { recorded: 0, forgotten: 0, open: 1 });
  service.clock.advance(1);
  assert.deepEqual(await settleNow(), { recorded: 0, forgotten: 1, open: 0 });
});

test('a voucher created late, within the grace period, is recorded, listed and announced', async () => {
  const before = await list();
  const intent = await leaveIntent();
  service.clock.advance(DEADLINE_MS);
  assert.equal((await settleNow()).open, 1);
  const late = createLate();
  service.clock.advance(FORGET_MS - DEADLINE_MS - 1);
  assert.equal((await settleNow()).recorded, 1);

  const listed = await list();
  assert.equal(listed.length, before.length + 1);
  const found = listed.find((voucher: Record<string, unknown>) => voucher.voucher_code === late.code);
  assert.equal(found.voucher_name, order.name);
  assert.equal(Date.parse(found.created_at), Math.floor(intent.createdAtMs / 1000) * 1000);
  const [announced] = service.rows('select * from outbox order by id desc limit 1');
  assert.partialDeepStrictEqual(
    { ...announced },
    { voucher_count: 1, site_name: 'Demo', source: 'API: Theke' },
  );
  const [audited] = service.rows('select * from audit order by id desc limit 1');
  assert.partialDeepStrictEqual({ ...audited }, { actor: 'API: Theke', action: 'voucher.created' });
});

test('settling an unfinished batch records the vouchers that exist and deletes the other intents', async () => {
  const by = { siteName: 'Demo', actor: actorOf('Web: Rita'), createdAtMs: service.clock.nowMs() };
  const opened = await service.beside.vouchers.begin({ siteId: asSiteId(1), order, ...by }, { count: 30 });
  assert.ok(opened.ok);
  const made = Array.from({ length: 20 }, () => createLate().code);
  service.clock.advance(FORGET_MS);
  assert.deepEqual(await settleNow(), { recorded: 20, forgotten: 10, open: 0 });
  const recorded = service
    .rows('select code from vouchers order by id desc limit 20')
    .map(({ code }) => code);
  assert.deepEqual(recorded.sort(), made.sort());
});

test('a voucher with the same name but other limits is not mistaken for the ordered voucher', async () => {
  await leaveIntent();
  const other = createLate({ maxUses: 2 });
  service.clock.advance(FORGET_MS);
  assert.deepEqual(await settleNow(), { recorded: 0, forgotten: 1, open: 0 });
  order = { ...order, maxUses: 2 };
  await leaveIntent();
  service.clock.advance(DEADLINE_MS);
  assert.equal((await settleNow()).recorded, 1);
  assert.equal((await list())[0].voucher_code, other.code);
});

test('if one voucher matches two intents, one intent gets the voucher and the other is deleted', async () => {
  await leaveIntent();
  await leaveIntent();
  createLate();
  service.clock.advance(FORGET_MS);
  assert.deepEqual(await settleNow(), { recorded: 1, forgotten: 1, open: 0 });
});

test('settling several times at once records no voucher twice', async () => {
  for (let index = 0; index < 5; index++) {
    await leaveIntent();
    createLate();
  }
  service.clock.advance(DEADLINE_MS);
  await Promise.allSettled([settleNow(), settleNow(), settleNow()]);
  await settleNow();
});

test('the intents of an unreachable controller stay open, whatever their age', async () => {
  await leaveIntent();
  createLate();
  const deafness = { kind: 'unreachable', text: 'deaf' } as const;
  const deaf: Controller = {
    bounds: {},
    overload: () => undefined,
    createVouchers: async () => fail(deafness),
    findVouchersNamed: async () => fail(deafness),
    forEachVoucherChunk: async () => deafness,
    findUses: async () => fail(deafness),
    deleteVoucher: async () => fail(deafness),
    listsAny: async () => fail(deafness),
    listSites: async () => fail(deafness),
    check: async () => undefined,
  };
  service.clock.advance(10 * FORGET_MS);
  const outcome = await settle({ ...service.beside, controllerOf: () => deaf });
  assert.deepEqual(outcome, { recorded: 0, forgotten: 0, open: 1 });
  assert.equal((await settleNow()).recorded, 1);
});

test('a controller that has none of our vouchers leaves intents open, as it may have been replaced', async () => {
  const name = `Anker ${order.name}`;
  const made = await service.call('POST', 'vouchers.php', { body: { site_id: 1, name } });
  assert.equal(made.status, 201);
  await leaveIntent();
  createLate();
  service.clock.advance(10 * FORGET_MS);
  const controllerOf: typeof service.beside.controllerOf = (site) => ({
    ...service.beside.controllerOf(site),
    findVouchersNamed: async () => ok([]),
    listsAny: async (ids) => ok(ids.length === 0),
  });
  const outcome = await settle({ ...service.beside, controllerOf });
  assert.deepEqual(outcome, { recorded: 0, forgotten: 0, open: 1 });
  assert.equal((await settleNow()).recorded, 1);
});

test('a site whose driver throws an error does not prevent the settling of other sites', async () => {
  const broken = await service.addSite('default', 'Kaputt');
  const intent = await leaveIntent(broken);
  await leaveIntent();
  createLate();
  service.clock.advance(DEADLINE_MS);
  const controllerOf: typeof service.beside.controllerOf = (site) => {
    if (site.id === broken) throw new Error('this release has no driver for it');
    return service.beside.controllerOf(site);
  };
  await settle({ ...service.beside, controllerOf }).catch(() => {});
  const left = (await service.beside.vouchers.listIntents()).map(({ id }) => id);
  await service.beside.vouchers.abandon([intent]);
  await settleNow();
  assert.deepEqual(left, [intent.id]);
});

async function restart(): Promise<void> {
  await service.stop();
  service = await startTestService({ dataDir, clock: service.clock });
}

async function untilOpen(count: number): Promise<void> {
  await until(async () => (await service.beside.vouchers.countIntents()) <= count);
}

test('a service settles the intents of the previous process when it starts', {
  timeout: 30_000,
}, async () => {
  await leaveIntent();
  createLate();
  // On PostgreSQL, a young intent may belong to another instance.
  if (engine === 'postgres') service.clock.advance(DEADLINE_MS);
  await restart();
  await untilOpen(0);
});

test('at its start, a service settles no intent that another process may still fulfil', {
  timeout: 30_000,
}, async () => {
  const running = await leaveIntent(1, engine === 'postgres' ? 'API: Theke' : 'CLI: root');
  const made = createLate();
  await restart();
  // Long enough for the first turn of settling.
  await sleep(500);
  const { created } = await service.beside.vouchers.record([running], [made]);
  assert.equal(created[0]?.code, made.code);
});
