// Equal orders are interchangeable, but no request gets the voucher of another request: not if two sites have the same
// name, not if the controller returns no voucher ids, and not if settling finds a voucher that a request has just
// created.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Controller, UpstreamVoucher } from '../../src/kernel/controllers/controller.ts';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { outcomeUnknown } from '../../src/kernel/controllers/upstream/failures.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { makeCreateVoucher } from '../../src/kernel/vouchers/create-vouchers.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';
import { fail, ok } from '../../src/platform/values/result.ts';
import { withController } from '../stock/support.ts';
import { codeOf } from '../storage/samples.ts';
import { actorOf } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';
import { settle } from './bookkeeping.ts';

const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

function begin(siteId: number, name: string) {
  const order = { name, ...limits };
  return service.beside.vouchers.begin({
    siteId: asSiteId(siteId),
    siteName: 'x',
    order,
    actor: actorOf('API: Test'),
  });
}

test('two sites with the same name on their controllers never share a code', async () => {
  const [one, two] = [await service.addSite('default'), await service.addSite('default')];
  const lost = await begin(two, '2026-01-15_Gast');
  assert.ok(lost.ok);
  const made = await service.call('POST', 'vouchers.php', { body: { site_id: one, name: 'Gast' } });
  assert.equal(made.status, 201);
  service.clock.advance(60_000);
  assert.deepEqual(await settle(service.beside), { recorded: 0, forgotten: 0, open: 1 });
  assert.deepEqual(service.rows('select code from vouchers where site_id = ?', two), []);
  await service.beside.vouchers.abandon(lost.value);
});

test('each code of a controller that returns no voucher ids is recorded only once', async () => {
  const voucher: UpstreamVoucher = {
    name: 'no id',
    ...limits,
    controllerVoucherId: null,
    code: '1111111111',
    usedCount: 0,
    createdAtMs: service.clock.nowMs(),
    firstUsedAtMs: null,
  };
  const [one, two] = [await begin(1, 'no id'), await begin(1, 'no id')];
  assert.ok(one.ok && two.ok);
  assert.equal(codeOf(await service.beside.vouchers.record(one.value, [voucher])), '1111111111');
  const second = await service.beside.vouchers.record(two.value, [voucher]);
  assert.deepEqual(second, { created: [], left: two.value });
  await service.beside.vouchers.abandon(two.value);
});

test('settling does not claim a voucher that a running request with an equal order has just created', async () => {
  const simulated = openSimulatedVouchers(service.config.dataDir);
  const dead = await begin(1, '2026-01-15_Gleich');
  assert.ok(dead.ok);
  service.clock.advance(30_000);
  const controller: Controller = {
    bounds: {},
    overload: () => undefined,
    async createVouchers(order) {
      const made = simulated.create('1/default', order, service.clock.nowMs());
      const tally = await settle({ ...service.beside, controllerOf: () => controller });
      assert.equal(tally.recorded, 0);
      return ok({ vouchers: [made] });
    },
    findVouchersNamed: async ([name = '']) => ok(simulated.findByName('1/default', name)),
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
    controllerOf: () => controller,
    timeZone: 'Europe/Berlin',
  });
  const creation = await createVoucher(
    { siteId: asSiteId(1), name: 'Gleich', ...limits },
    { actor: actorOf('API: Test'), keySites: 'all' },
  );
  simulated.close();
  assert.ok(creation.ok);
});

test('if two bodies arrive at once with one Idempotency-Key, the second gets a 422, not a 409', async () => {
  const send = (round: number, name: string) =>
    service.call('POST', 'vouchers.php', {
      body: { site_id: 1, name },
      headers: { 'idempotency-key': `race-${round}` },
    });
  for (let round = 0; round < 30; round++) {
    const replies = await Promise.all([send(round, 'A'), send(round, 'B')]);
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 422]);
  }
});

test('of several vouchers ordered at once, those that were recorded are returned although the rest failed', async () => {
  const made: UpstreamVoucher[] = ['2000000001', '2000000002', '2000000003'].map((code) => ({
    name: '2026-01-15_Zwei',
    ...limits,
    controllerVoucherId: `id-${code}`,
    code,
    usedCount: 0,
    createdAtMs: service.clock.nowMs(),
    firstUsedAtMs: null,
  }));
  const orderTwo = async (replaced: Partial<Controller>) => {
    const installation = withController(service.beside, () => replaced);
    const { createVouchers } = makeCreationUseCases(installation, { timeZone: 'Europe/Berlin' });
    const order = { siteId: asSiteId(1), name: 'Zwei', ...limits };
    const { created, isOpen, problem } = await createVouchers(order, 2, { actor: actorOf('API: Test') });
    await service.beside.vouchers.abandon(await service.beside.vouchers.listIntents());
    return [created.map(({ code }) => code), isOpen, problem?.kind];
  };
  const away = outcomeUnknown('broke-off', 'the connection broke off');
  const one = { vouchers: made.slice(0, 1), lookAgain: async () => fail(away) };
  assert.deepEqual(await orderTwo({ createVouchers: async () => ok(one) }), [
    ['2000000001'],
    true,
    'creation-failed',
  ]);
  const settleOne: Controller['createVouchers'] = async () => {
    const [, second] = await service.beside.vouchers.listIntents();
    await service.beside.vouchers.abandon(second ? [second] : []);
    return ok({ vouchers: made.slice(1) });
  };
  assert.deepEqual(await orderTwo({ createVouchers: settleOne }), [['2000000002'], true, 'creation-failed']);
});
