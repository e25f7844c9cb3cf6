// Tests what a sync does with vouchers in the stock: it never imports them, records those that were used before they
// were handed out, and marks those that are missing on the controller, unless the list is doubtful.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Controller, UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makeCompareSite } from '../../src/kernel/vouchers/compare-site.ts';
import { makeSyncUseCases } from '../../src/kernel/vouchers/sync-use-cases.ts';
import { ok } from '../../src/platform/values/result.ts';
import { actorOf } from '../support/actors.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { refillOf, siteId, wantReserve, withController } from './support.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const { folder: dataDir, remove } = makeFolder();
let service: TestService;
let console: SimulatedVouchers;

before(async () => {
  service = await startTestService({ dataDir, jobs: false, webhook: true });
  console = openSimulatedVouchers(dataDir);
});
beforeEach(async () => {
  for (const table of ['stock', 'vouchers']) service.change(`delete from ${table}`);
  console.forget('1/');
  service.clock.advance(MINUTE_MS);
  await service.beside.syncs.noteSuccess(siteId);
  wantReserve(service, 3);
  await refillOf(service.beside)();
  service.clock.advance(2 * MINUTE_MS);
});
after(async () => {
  console.close();
  await service.stop();
  remove();
});

const stock = () => service.beside.stock.list(siteId);
const recorded = () => service.rows('select * from vouchers order by id');
const { signal } = new AbortController();

async function sync(installation: Installation = service.beside) {
  const site = await installation.sites.findActive(siteId);
  assert.ok(site);
  const synced = await makeSyncUseCases(installation).syncSite(site, signal);
  assert.ok(synced);
  return synced;
}

function onOther(replace: (controller: Controller) => Partial<Controller>) {
  return withController(service.beside, replace);
}

/** As a console that leaves vouchers out of its list. */
const hiding = (isHidden: (voucher: UpstreamVoucher) => boolean) => (controller: Controller) => ({
  forEachVoucherChunk: (onChunk: (chunk: UpstreamVoucher[]) => Promise<void>, ended: AbortSignal) =>
    controller.forEachVoucherChunk((chunk) => onChunk(chunk.filter((one) => !isHidden(one))), ended),
});
const withoutStock = () => onOther(hiding(({ name }) => name.endsWith('_Reserve')));

const states = async () => (await stock()).map(({ state }) => state);
const handOut = () =>
  service.beside.stock.handOut({
    siteId,
    name: 'Gast',
    storedName: '2026-01-15_Gast',
    actor: actorOf('Web: Rita'),
  });

test('the stock is neither imported nor reported as unrecorded', async () => {
  const synced = await sync();
  assert.deepEqual(synced, ok({ listed: 3, changed: 0, gone: 0, imported: 0 }));
  assert.deepEqual(recorded(), []);
  const site = await service.beside.sites.findActive(siteId);
  assert.ok(site);
  const compared = await makeCompareSite(service.beside)(site, signal);
  assert.deepEqual(compared, ok({ listed: 3, recorded: 3, missing: [], unrecorded: [] }));
});

test('a voucher of somebody else is imported beside the stock', async () => {
  const order = { name: 'Anna', maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  console.create('1/default', order, service.clock.nowMs());
  assert.deepEqual(await sync(), ok({ listed: 4, changed: 0, gone: 0, imported: 1 }));
  assert.deepEqual(
    recorded().map(({ name }) => name),
    ['Anna'],
  );
  assert.equal((await stock()).length, 3);
});

test('a voucher that was used before it was handed out becomes a voucher of the controller', async () => {
  const [first] = await stock();
  assert.ok(first);
  console.redeem('1/default', first.code, service.clock.nowMs());
  const announced = service.rows('select * from outbox').length;
  assert.partialDeepStrictEqual(await sync(), ok({ listed: 3, imported: 0, leftStock: 1 }));
  const [voucher, ...more] = recorded();
  assert.equal(more.length, 0);
  assert.partialDeepStrictEqual(
    { ...voucher },
    { code: first.code, source: 'Controller', used_count: 1, name: first.name },
  );
  assert.equal((await stock()).length, 2);
  assert.equal(service.rows('select * from outbox').length, announced);
  assert.deepEqual(await sync(), ok({ listed: 3, changed: 0, gone: 0, imported: 0 }));
});

test('a voucher that is gone from the controller is missing, a young one stays', async () => {
  const [first, second] = await stock();
  assert.ok(first?.controllerVoucherId && second?.controllerVoucherId);
  console.remove('1/default', first.controllerVoucherId);
  service.change('update stock set made_at_ms = ? where id = ?', service.clock.nowMs(), second.id);
  console.remove('1/default', second.controllerVoucherId);
  assert.deepEqual(await sync(), ok({ listed: 1, changed: 0, gone: 0, imported: 0, leftStock: 1 }));
  assert.deepEqual(await states(), ['missing', 'ready', 'ready']);
  assert.deepEqual(recorded(), []);
  assert.deepEqual(await sync(), ok({ listed: 1, changed: 0, gone: 0, imported: 0 }), 'it is told once');
});

test('two lists without the stock make it missing, and the next list makes it ready again', async () => {
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Anna' } });
  const before = await stock();
  assert.partialDeepStrictEqual(await sync(withoutStock()), ok({ listed: 1, leftStock: 3 }));
  assert.deepEqual(await states(), ['missing', 'missing', 'missing']);
  assert.equal((await service.beside.stock.findReserve(siteId)).ready, 0);
  assert.equal(await handOut(), undefined, 'a voucher that is missing is not handed out');
  assert.partialDeepStrictEqual(await sync(), ok({ listed: 4, imported: 0 }));
  assert.deepEqual(await stock(), before);
});

test('a missing voucher is replaced, and one too many leaves when it is back', async () => {
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Anna' } });
  const [first, second] = await stock();
  await sync(onOther(hiding(({ code }) => code === first?.code)));
  await refillOf(service.beside)();
  assert.deepEqual(await states(), ['missing', 'ready', 'ready', 'ready']);
  await sync();
  await refillOf(service.beside)();
  assert.deepEqual(await states(), ['ready', 'ready', 'ready']);
  assert.ok((await stock()).some(({ id }) => id === second?.id));
  assert.equal(console.page('1/default', '', 10).length, 4);
});

test('a voucher that is missing for a week leaves, by a clock that is trusted and settled', async () => {
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Anna' } });
  await sync(withoutStock());
  await refillOf(service.beside)();
  const missing = async () => (await states()).filter((state) => state === 'missing').length;
  assert.equal(await missing(), 3);
  service.change('update stock set missing_since_ms = missing_since_ms - ?', 7 * DAY_MS + MINUTE_MS);
  await refillOf(service.beside, { isClockSettled: async () => false })();
  assert.equal(await missing(), 3);
  await refillOf(service.beside)();
  assert.deepEqual(await states(), ['ready', 'ready', 'ready']);
  // They were on the console all the time. Nobody has them, so they are deleted there.
  assert.equal(console.page('1/default', '', 10).length, 4);
});

test('missing vouchers leave at once with their reserve', async () => {
  await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Anna' } });
  await sync(withoutStock());
  wantReserve(service, 0);
  await refillOf(service.beside)();
  assert.deepEqual(await states(), []);
});

test('a voucher that is used up and no longer listed is recorded as used', async () => {
  const [first] = await stock();
  const id = first?.controllerVoucherId;
  assert.ok(id);
  console.remove('1/default', id);
  const usedAtMs = service.clock.nowMs() - MINUTE_MS;
  const forgetful = onOther(() => ({ findUses: async () => ok(new Map([[id, usedAtMs]])) }));
  assert.partialDeepStrictEqual(await sync(forgetful), ok({ leftStock: 1 }));
  assert.partialDeepStrictEqual(
    { ...recorded()[0] },
    { code: first.code, used_count: 1, first_used_at_s: Math.floor(usedAtMs / 1000) },
  );
  assert.equal((await stock()).length, 2);
});

test('an empty list changes nothing', async () => {
  console.forget('1/');
  assert.deepEqual(await sync(), ok({ listed: 0, changed: 0, gone: 0, imported: 0 }));
  assert.equal((await stock()).length, 3);
});

test('a voucher that only one of two lists lacks stays', async () => {
  let reads = 0;
  const shifting = onOther((controller) => ({
    forEachVoucherChunk: (onChunk, ended) =>
      controller.forEachVoucherChunk((chunk) => onChunk(reads++ === 0 ? chunk.slice(1) : chunk), ended),
  }));
  assert.deepEqual(await sync(shifting), ok({ listed: 2, changed: 0, gone: 0, imported: 0 }));
  assert.equal((await stock()).length, 3);
});

test('another console, which lists none of our vouchers, empties no stock and is not imported', async () => {
  console.forget('1/');
  const order = { name: 'Fremd', maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  console.create('1/default', order, service.clock.nowMs());
  const synced = await sync();
  assert.equal(!synced.ok && synced.problem.cause, 'other-console');
  assert.equal((await stock()).length, 3);
  assert.deepEqual(recorded(), []);
});

test('a voucher that is handed out during the sync is not recorded twice', async () => {
  const [first] = await stock();
  assert.ok(first);
  console.redeem('1/default', first.code, service.clock.nowMs());
  const handingOut = onOther((controller) => ({
    async forEachVoucherChunk(onChunk, ended) {
      const failure = await controller.forEachVoucherChunk(onChunk, ended);
      await service.beside.stock.handOut({
        siteId,
        name: 'Gast',
        storedName: '2026-01-15_Gast',
        actor: actorOf('Web: Rita'),
      });
      return failure;
    },
  }));
  assert.ok((await sync(handingOut)).ok);
  assert.deepEqual(
    recorded().map(({ source }) => source),
    ['Web: Rita'],
  );
  assert.partialDeepStrictEqual(await sync(), ok({ changed: 1 }));
  assert.equal(recorded()[0]?.used_count, 1);
});
