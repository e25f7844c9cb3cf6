// Settling at the same time as other work: instances whose running requests are unknown, sites whose controllers hang,
// and a service that is shutting down.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import type { Controller, UpstreamOrder } from '../../src/kernel/controllers/controller.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import type { Intent } from '../../src/kernel/vouchers/voucher-records.ts';
import { fail } from '../../src/platform/values/result.ts';
import { codeOf } from '../storage/samples.ts';
import { actorOf } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { assertInBalance, settle } from './bookkeeping.ts';

const DEADLINE_MS = 20_000;
const FORGET_MS = 80_000;
const limits = { maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };

let service: TestService;
let controller: SimulatedVouchers;
let order: UpstreamOrder;
let orders = 0;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
  controller = openSimulatedVouchers(service.config.dataDir);
});
beforeEach(() => {
  order = { name: `2026-01-15_${++orders}`, ...limits };
});
afterEach(() => {
  assertInBalance(service.config.dataDir);
});
after(async () => {
  controller.close();
  await service.stop();
});

/** Leaves an open intent, as if the process had died before the controller responded. */
async function leaveIntent(siteId = 1): Promise<Intent> {
  const by = { siteId: asSiteId(siteId), siteName: 'Demo', actor: actorOf('API: Theke') };
  const opened = await service.beside.vouchers.begin({ ...by, order });
  const [intent] = opened.ok ? opened.value : [];
  assert.ok(intent);
  return intent;
}

const create = (siteId = 1) => controller.create(`${siteId}/default`, order, service.clock.nowMs());

/** Opens another instance on the same database. It does not know the running requests of the first instance. */
async function openAnother() {
  const installation = await openInstallation(service.config, service.clock);
  return Object.assign(installation, { [Symbol.asyncDispose]: installation.close });
}

/** Starts settling; the controller of one site does not respond until settling is aborted. */
async function settleBesideHanging(hangingSite: number) {
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  let hangs = true;
  const silence = { kind: 'unreachable', text: 'it hangs' } as const;
  const hanging: Controller = {
    bounds: {},
    overload: () => undefined,
    createVouchers: async () => fail(silence),
    async findVouchersNamed(_, { signal }) {
      ask();
      await once(signal, 'abort');
      hangs = false;
      return fail(silence);
    },
    forEachVoucherChunk: async () => silence,
    findUses: async () => fail(silence),
    deleteVoucher: async () => fail(silence),
    listsAny: async () => fail(silence),
    listSites: async () => fail(silence),
    check: async () => silence,
  };
  const controllerOf: typeof service.beside.controllerOf = (site) =>
    site.id === hangingSite ? hanging : service.beside.controllerOf(site);
  const stopping = new AbortController();
  const settling = settle({ ...service.beside, controllerOf }, stopping.signal);
  await asked;
  return { settling, isHanging: () => hangs, stop: () => stopping.abort() };
}

test('a site whose controller hangs does not delay the intents of other sites', async () => {
  const slow = await service.addSite('default', 'Langsam');
  const last = await service.addSite('default', 'zuletzt');
  await leaveIntent();
  create();
  const intent = await leaveIntent(slow);
  await leaveIntent(last);
  create(last);
  service.clock.advance(DEADLINE_MS);
  const { settling, isHanging, stop } = await settleBesideHanging(slow);
  await until(async () => (await service.beside.vouchers.countIntents()) === 1, { everyMs: 1 });
  assert.ok(isHanging(), 'the controller must still hang when the other sites are settled');
  stop();
  assert.deepEqual(await settling, { recorded: 2, forgotten: 0, open: 1 });
  await service.beside.vouchers.abandon([intent]);
});

test('settling ends when it is aborted, and deletes no intent', { timeout: DEADLINE_MS }, async () => {
  const slow = await service.addSite('default', 'Langsam');
  const intent = await leaveIntent(slow);
  service.clock.advance(10 * FORGET_MS);
  const { settling, stop } = await settleBesideHanging(slow);
  stop();
  assert.deepEqual(await settling, { recorded: 0, forgotten: 0, open: 1 });
  await service.beside.vouchers.abandon([intent]);
});

test('another instance does not give a voucher to an old intent while an equal younger intent is open', async () => {
  await using another = await openAnother();
  await leaveIntent();
  service.clock.advance(DEADLINE_MS);
  const young = await leaveIntent();
  const made = create();
  service.clock.advance(DEADLINE_MS - 1);
  assert.deepEqual(await settle(another), { recorded: 0, forgotten: 0, open: 2, nextDueMs: 1 });
  assert.equal(codeOf(await service.beside.vouchers.record([young], [made])), made.code);
  service.clock.advance(FORGET_MS);
  assert.deepEqual(await settle(another), { recorded: 0, forgotten: 1, open: 0 });
});

test('an intent whose request is dead gets no voucher that an equal running order may have created', async () => {
  await using another = await openAnother();
  const dead = await leaveIntent();
  const running = await leaveIntent();
  const made = create();
  const leftIntents = new Set([dead.id]);
  const waiting = { recorded: 0, forgotten: 0, open: 2, nextDueMs: DEADLINE_MS };
  assert.deepEqual(await settle({ ...another, leftIntents }), waiting);
  assert.equal(codeOf(await service.beside.vouchers.record([running], [made])), made.code);
  const late = create();
  assert.deepEqual(await settle({ ...another, leftIntents }), { recorded: 1, forgotten: 0, open: 0 });
  assert.ok(service.rows('select code from vouchers').some(({ code }) => code === late.code));
});

test('another instance does not delete an old intent while an equal younger intent is open', async () => {
  await using another = await openAnother();
  await leaveIntent();
  service.clock.advance(FORGET_MS);
  const young = await leaveIntent();
  const waiting = { recorded: 0, forgotten: 0, open: 2, nextDueMs: DEADLINE_MS };
  assert.deepEqual(await settle(another), waiting);
  await service.beside.vouchers.abandon([young]);
  assert.deepEqual(await settle(another), { recorded: 0, forgotten: 1, open: 0 });
});

test('a younger intent of another site or with other limits does not delay settling', async () => {
  await using another = await openAnother();
  const elsewhere = await service.addSite('default', 'Anderswo');
  await leaveIntent();
  create();
  service.clock.advance(DEADLINE_MS);
  const young = [await leaveIntent(elsewhere)];
  order = { ...order, maxUses: 2 };
  young.push(await leaveIntent());
  const { recorded, open } = await settle(another);
  assert.deepEqual({ recorded, open }, { recorded: 1, open: 2 });
  for (const intent of young) await service.beside.vouchers.abandon([intent]);
});
