// Tests how the stock is filled: the reserve up to its number, the next voucher of each screen that somebody looks at,
// and what leaves the stock.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import {
  openSimulatedVouchers,
  type SimulatedVouchers,
} from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import { settle } from '../faults/bookkeeping.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { addScreen, refillOf, siteId, wantReserve, withController } from './support.ts';

const DAY_MS = 24 * 60 * 60_000;
const FORGET_MS = 80_000;

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
let other: Installation;
let console: SimulatedVouchers;
let refill: ReturnType<typeof refillOf>;

before(async () => {
  service = await startTestService({ dataDir, jobs: false });
  other = await openInstallation(service.config, service.clock);
  console = openSimulatedVouchers(dataDir);
  refill = refillOf(service.beside);
});
beforeEach(async () => {
  for (const table of ['stock', 'site_reserves', 'screens']) service.change(`delete from ${table}`);
  console.forget('1/');
});
after(async () => {
  console.close();
  await other.close();
  await service.stop();
  remove();
});

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const onConsole = () => console.page('1/default', '', 1_000);
const stock = () => service.beside.stock.list(siteId);
const names = async () => (await stock()).map(({ name }) => name);
const handOut = (installation: Installation) =>
  installation.stock.handOut({
    siteId,
    name: 'Gast',
    storedName: '2026-01-15_Gast',
    actor: actorOf('Web: Rita'),
  });

const AWAY = fail({ kind: 'unreachable' as const, cause: 'away' as const, text: 'nobody answers' });

test('a reserve is filled up to its number, in slices, and refilled after a hand-out', async () => {
  wantReserve(service, 120);
  assert.equal(await refill(), 'done');
  assert.equal((await stock()).length, 120);
  assert.equal(onConsole().length, 120);
  assert.deepEqual([...new Set(await names())], ['2026-01-15_Reserve']);
  assert.equal(await refill(), 'nothing');
  assert.ok(await handOut(service.beside));
  assert.equal(await refill(), 'done');
  assert.equal((await stock()).length, 120);
  assert.equal(onConsole().length, 121);
});

test('two instances that fill at the same time make no voucher twice', async () => {
  wantReserve(service, 30);
  await Promise.all([refill(), refillOf(other)(), refill(), refillOf(other)()]);
  await refill();
  assert.equal((await stock()).length, 30);
  assert.equal(onConsole().length, 30);
});

test('a screen gets its next voucher only while somebody looks at it', async () => {
  const screenId = addScreen(service, { kind: 'rolling', name: 'Empfang', idle_minutes: 15 });
  addScreen(service, { kind: 'kiosk', looked_at_ms: service.clock.nowMs() });
  assert.equal(await refill(), 'nothing');
  const look = (atMs: number) => service.change('update screens set looked_at_ms = ?', atMs);
  look(service.clock.nowMs() - 16 * 60_000);
  assert.equal(await refill(), 'nothing');
  // A look that lies far ahead comes from a time when the clock was wrong.
  look(service.clock.nowMs() + DAY_MS);
  assert.equal(await refill(), 'nothing');
  look(service.clock.nowMs());
  assert.equal(await refill(), 'done');
  assert.deepEqual(
    (await stock()).map((voucher) => [voucher.screenId, voucher.name]),
    [[screenId, '2026-01-15_Empfang']],
  );
  // Nobody looks any more: the screen keeps what it has.
  look(service.clock.nowMs() - DAY_MS);
  assert.equal(await refill(), 'nothing');
  assert.equal((await stock()).length, 1);
  service.change('delete from screens where id = ?', screenId);
  assert.equal(await refill(), 'done');
  assert.deepEqual([await stock(), onConsole()], [[], []]);
});

test('vouchers with other limits than wanted are replaced, and leave when the new ones are there', async () => {
  wantReserve(service, 3);
  await refill();
  const limits = { maxUses: 4, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const profile = await service.beside.profiles.add({ name: 'Tag', siteIds: [], ...limits }, audit());
  wantReserve(service, 3, profile);
  // The controller is away: what is in the reserve can still be handed out.
  const away = withController(service.beside, () => ({ createVouchers: async () => AWAY }));
  assert.equal(await refillOf(away)(), 'failed');
  assert.equal((await service.beside.stock.findReserve(siteId)).ready, 3);
  assert.equal(await refill(), 'done');
  assert.deepEqual(
    (await stock()).map(({ maxUses, state }) => [maxUses, state]),
    Array.from({ length: 3 }, () => [4, 'ready']),
  );
  assert.deepEqual(
    onConsole().map(({ maxUses }) => maxUses),
    [4, 4, 4],
  );
  await service.beside.profiles.remove(profile, audit());
});

test('too many vouchers leave, the oldest first, also after the reserve was switched off', async () => {
  wantReserve(service, 3);
  await refill();
  const [, ...newer] = await stock();
  wantReserve(service, 2);
  assert.equal(await refill(), 'done');
  assert.deepEqual(
    (await stock()).map(({ id }) => id),
    newer.map(({ id }) => id),
  );
  wantReserve(service, 0);
  assert.equal(await refill(), 'done');
  assert.deepEqual([await stock(), onConsole()], [[], []]);
});

test('a deletion that the controller refused is tried again, and the voucher is not handed out meanwhile', async () => {
  wantReserve(service, 2);
  await refill();
  wantReserve(service, 0);
  const away = withController(service.beside, () => ({ deleteVoucher: async () => AWAY }));
  assert.equal(await refillOf(away)(), 'failed');
  assert.deepEqual(
    (await stock()).map(({ state }) => state),
    ['leaving', 'leaving'],
  );
  assert.equal(await handOut(service.beside), undefined);
  assert.equal(await refill(), 'done');
  assert.deepEqual([await stock(), onConsole()], [[], []]);
});

test('a voucher that is recorded already is not deleted on the controller', async () => {
  wantReserve(service, 2);
  await refill();
  const [first, second] = await stock();
  assert.ok(first && second);
  await service.beside.usage.importForeign(
    siteId,
    onConsole().filter(({ controllerVoucherId: id }) => id === first.controllerVoucherId),
  );
  service.change('update stock set controller_voucher_id = ? where id = ?', 'other', first.id);
  await service.beside.usage.importForeign(
    siteId,
    onConsole().filter(({ code }) => code === first.code),
  );
  service.change(
    'update stock set controller_voucher_id = ? where id = ?',
    first.controllerVoucherId,
    first.id,
  );
  wantReserve(service, 0);
  assert.equal(await refill(), 'done');
  assert.deepEqual(
    onConsole().map(({ code }) => code),
    [first.code],
  );
  assert.deepEqual(await stock(), []);
});

test('vouchers that are 30 days old are replaced, by a clock that is trusted and settled', async () => {
  wantReserve(service, 2);
  await refill();
  const [first] = await stock();
  service.change('update stock set made_at_ms = made_at_ms - ?', 31 * DAY_MS);
  assert.equal(await refillOf(service.beside, { isClockSettled: async () => false })(), 'nothing');
  const doubted = Object.assign(Object.create(service.beside), service.beside, {
    readTrustedTime: async () => undefined,
  });
  assert.equal(await refillOf(doubted)(), 'nothing');
  assert.equal(await refill(), 'done');
  const fresh = await stock();
  assert.equal(fresh.length, 2);
  assert.ok(first && fresh.every(({ id }) => id > first.id));
  assert.equal(onConsole().length, 2);
});

test('a clock that is 800 days ahead deletes nothing', async () => {
  wantReserve(service, 2);
  await refill();
  const before = (await stock()).map(({ id }) => id);
  await service.beside.beat();
  service.clock.advance(800 * DAY_MS);
  assert.equal(await refill(), 'nothing');
  service.clock.advance(-800 * DAY_MS);
  assert.deepEqual(
    (await stock()).map(({ id }) => id),
    before,
  );
  assert.equal(onConsole().length, 2);
});

test('another console, which has none of our vouchers, does not make the stock forget them', async () => {
  wantReserve(service, 3);
  await refill();
  wantReserve(service, 2);
  const replaced = withController(service.beside, () => ({
    deleteVoucher: async () => ok('absent' as const),
    listsAny: async () => ok(false),
    findUses: async () => ok(new Map()),
  }));
  assert.equal(await refillOf(replaced)(), 'failed');
  assert.equal((await stock()).length, 3);
  const emptied = withController(service.beside, () => ({
    deleteVoucher: async () => ok('absent' as const),
  }));
  assert.equal(await refillOf(emptied)(), 'done');
  assert.equal((await stock()).length, 2);
});

test('an order that was cut off counts as on its way, and is settled into the stock', async () => {
  wantReserve(service, 3);
  const cutOff = withController(service.beside, (controller) => ({
    createVouchers: async (order, count, options) => {
      await controller.createVouchers(order, count, options);
      return fail({ kind: 'outcome-unknown' as const, text: 'cut off' });
    },
    findVouchersNamed: async () => AWAY,
  }));
  assert.equal(await refillOf(cutOff)(), 'failed');
  assert.equal(onConsole().length, 3);
  assert.equal(await refill(), 'nothing', 'three intents are open');
  service.clock.advance(FORGET_MS);
  assert.equal((await settle(service.beside)).recorded, 3);
  assert.equal((await stock()).length, 3);
  assert.equal(onConsole().length, 3);
});

test('nothing is made for a site that is switched off, or whose syncs fail', async () => {
  wantReserve(service, 2);
  await service.beside.syncs.noteFailure(siteId, 'away', 'away');
  assert.equal(await refill(), 'nothing');
  service.clock.advance(1_000);
  await service.beside.syncs.noteSuccess(siteId);
  service.change('update sites set active = 0');
  assert.equal(await refill(), 'nothing');
  service.change('update sites set active = 1');
  assert.equal(onConsole().length, 0);
});

test('a turn that finds the stock full reads neither its vouchers nor the open intents', async () => {
  wantReserve(service, 3);
  await refill();
  const { stock: known, vouchers } = service.beside;
  const watched = Object.assign(Object.create(service.beside), service.beside, {
    stock: { ...known, list: () => assert.fail('the vouchers were read') },
    vouchers: { ...vouchers, listIntents: () => assert.fail('the intents were read') },
  });
  assert.equal(await refillOf(watched)(), 'nothing');
  assert.ok(await handOut(service.beside));
  await assert.rejects(refillOf(watched)(), /the vouchers were read/);
  assert.equal(await refill(), 'done');
});

test('an empty stock counts as 0, but not that of screens that nobody looks at or of an inactive site', async () => {
  const count = () => service.beside.stock.countReady();
  addScreen(service, { kind: 'rolling', name: 'Empfang', idle_minutes: 15 });
  assert.deepEqual(await count(), []);
  wantReserve(service, 2);
  service.change('update screens set looked_at_ms = ?', service.clock.nowMs());
  const counted = (reserve: number, screen: number) => [
    { siteId, purpose: 'reserve', ready: reserve },
    { siteId, purpose: 'screen', ready: screen },
  ];
  assert.deepEqual(await count(), counted(0, 0));
  await refill();
  assert.deepEqual(await count(), counted(2, 1));
  service.change('update sites set active = 0');
  assert.deepEqual(await count(), []);
  service.change('update sites set active = 1');
});

test('nothing is made while an instance of an older release runs', async () => {
  wantReserve(service, 2);
  await service.beside.instances.note({ id: 'old', name: 'web-2:8080', release: '0.2.0', schemaVersion: 1 });
  assert.equal(await refill(), 'failed');
  await service.beside.instances.forget('old');
  assert.equal(onConsole().length, 0);
});

test('a running service fills the stock by itself, at once after a hand-out, and counts it', async () => {
  const running = await startTestService();
  try {
    wantReserve(running, 2);
    const ready = async () => (await running.beside.stock.findReserve(siteId)).ready;
    await until(async () => (await ready()) === 2);
    assert.match(
      (await running.call('GET', '/metrics')).text,
      /^gastpass_stock\{site="1",purpose="reserve"\} 2$/m,
    );
    assert.ok(
      running.logLines.some(({ msg, made }) => msg === 'vouchers were made for the stock' && made === 2),
    );
  } finally {
    await running.stop();
  }
});
