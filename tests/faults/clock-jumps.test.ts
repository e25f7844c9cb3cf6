// A clock that jumps, for example when a machine without a hardware clock gets the time from the network: no voucher is
// lost, no key is blocked for longer than one window, and the list follows the clock.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Controller } from '../../src/kernel/controllers/controller.ts';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { makeCreateVoucher } from '../../src/kernel/vouchers/create-vouchers.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import { actorOf } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';
import { assertInBalance, settle } from './bookkeeping.ts';

const YEAR_MS = 365 * 24 * 60 * 60_000;

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true, jobs: false });
});
after(() => service.stop());

let site: number;
beforeEach(async () => {
  site = await service.addSite('default');
});

const create = (name: string, options = {}) =>
  service.call('POST', 'vouchers.php', { body: { site_id: site, name }, ...options });
const list = async () => (await service.call('GET', `vouchers.php?site_id=${site}`)).json.vouchers;

test('vouchers created after a jump are recorded with the new time and listed in its order', async () => {
  for (const [name, jumpMs] of [
    ['first', 0],
    ['far ahead', YEAR_MS],
    ['back', -2 * YEAR_MS],
    ['again', YEAR_MS],
  ] as const) {
    service.clock.advance(jumpMs);
    assert.equal((await create(name)).status, 201);
  }
  const names = (await list()).map((voucher: { voucher_name: string }) => voucher.voucher_name.slice(11));
  assert.deepEqual(names, ['far ahead', 'again', 'first', 'back']);
  const dates = (await list()).map((voucher: { voucher_name: string }) => voucher.voucher_name.slice(0, 10));
  assert.deepEqual(dates, ['2027-01-15', '2026-01-15', '2026-01-15', '2025-01-15']);
});

test('a key is not blocked for longer than one window after the clock is set back', async () => {
  const key = await service.issueKey('write', 1);
  const request = () => service.call('GET', 'sites.php', { key });
  assert.equal((await request()).status, 200);
  assert.equal((await request()).status, 429);
  service.clock.advance(-60 * 60_000);
  const after = await request();
  assert.equal(after.status, 200);
  assert.ok(Number(after.headers.get('x-ratelimit-reset')) * 1000 <= service.clock.nowMs() + 60_000);
  service.clock.advance(60 * 60_000);
});

test('a voucher’s status follows the clock in both directions, even if the list was requested before', async () => {
  await create('genutzt');
  const nowS = Math.floor(service.clock.nowMs() / 1000);
  service.change('update vouchers set used_count = 0, first_used_at_s = ? where site_id = ?', nowS, site);
  service.change('update sites set list_version = list_version + 1 where id = ?', site);
  const status = async () => (await list())[0].status;
  assert.equal(await status(), 'valid');
  service.clock.advance(480 * 60_000);
  assert.equal(await status(), 'expired');
  service.clock.advance(-480 * 60_000);
  assert.equal(await status(), 'valid');
});

test('a stored response is still replayed after the clock is set back', async () => {
  const headers = { 'idempotency-key': 'jump' };
  const first = await create('einmal', { headers });
  service.clock.advance(-YEAR_MS);
  const second = await create('einmal', { headers });
  service.clock.advance(YEAR_MS);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(second.json, first.json);
  assertInBalance(service.config.dataDir);
});

test('an intent with a creation time in the future stays open at first', async () => {
  const limits = { maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const by = {
    siteId: asSiteId(site),
    siteName: 'Haus A',
    actor: actorOf('API: Test'),
    createdAtMs: service.clock.nowMs(),
  };
  await service.beside.vouchers.begin({ ...by, order: { name: 'future', ...limits } });
  service.clock.advance(-YEAR_MS);
  assert.partialDeepStrictEqual(await settle(service.beside), { recorded: 0, forgotten: 0, open: 1 });
  service.clock.advance(YEAR_MS + 80_000);
  assert.deepEqual(await settle(service.beside), { recorded: 0, forgotten: 1, open: 0 });
});

test('a clock that jumps ahead while a voucher is created leaves no orphan', async () => {
  const simulated = openSimulatedVouchers(service.config.dataDir);
  const slow: Controller = {
    bounds: {},
    overload: () => undefined,
    async createVouchers(order) {
      service.clock.advance(YEAR_MS);
      await settle({ ...service.beside, controllerOf: () => slow });
      return ok({ vouchers: [simulated.create(`${site}/default`, order, service.clock.nowMs())] });
    },
    findVouchersNamed: async ([name = '']) => ok(simulated.findByName(`${site}/default`, name)),
    forEachVoucherChunk: async () => undefined,
    findUses: async () => ok(new Map()),
    deleteVoucher: async () => ok('deleted'),
    listsAny: async () => ok(true),
    listSites: async () => ok([]),
    check: async () => undefined,
  };
  const createVoucher = makeCreateVoucher({
    ...service.beside,
    ...unobserved,
    controllerOf: () => slow,
    timeZone: 'UTC',
  });
  const limits = { maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  await createVoucher(
    { siteId: asSiteId(site), name: 'jump', ...limits },
    { actor: actorOf('API: Test'), keySites: 'all' },
  ).catch(() => {});
  service.clock.advance(100_000);
  await settle(service.beside);
  simulated.close();
  assertInBalance(service.config.dataDir);
});

test('the minutes of a voucher that ends at a time are counted by the clock of the database', async () => {
  const ordered: number[] = [];
  const aheadMs = 20 * 60_000;
  const controllerOf: typeof service.beside.controllerOf = (at) => ({
    ...service.beside.controllerOf(at),
    async createVouchers({ expireMinutes }) {
      ordered.push(expireMinutes);
      return fail({ kind: 'refused', text: 'seen', cause: 'refused' });
    },
  });
  const createVoucher = makeCreateVoucher({
    ...service.beside,
    ...unobserved,
    controllerOf,
    clock: { nowMs: () => service.clock.nowMs() + aheadMs },
    timeZone: 'UTC',
  });
  const limits = { maxUses: 1, expireMinutes: 5, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const endsAtS = service.clock.nowMs() / 1000 + 40 * 60;
  const order = { siteId: asSiteId(site), name: 'bis elf', ...limits, endsAtS };
  await createVoucher(order, { actor: actorOf('API: Test'), keySites: 'all' });
  assert.deepEqual(ordered, [40]);
});
