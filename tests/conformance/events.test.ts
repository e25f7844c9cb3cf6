// The events of the contract: which actions queue a notification, and that vouchers created outside the API queue the
// same one. Also vouchers without a voucher id from the controller.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Controller } from '../../src/kernel/controllers/controller.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { makeCreateVoucher } from '../../src/kernel/vouchers/create-vouchers.ts';
import { ok } from '../../src/platform/values/result.ts';
import { actorOf } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { unobserved } from '../support/unobserved.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };

const owed = () =>
  service
    .rows('select voucher_count, site_name, source from outbox order by id')
    .map(({ voucher_count, site_name, source }) => [voucher_count, site_name, source]);

test('a voucher created outside the API queues the same notification, with a different source', async () => {
  const siteId = await service.addSite('default', 'Haus am See');
  const createVoucher = makeCreateVoucher({ ...service.beside, ...unobserved, timeZone: 'Europe/Berlin' });
  const created = await createVoucher(
    { siteId: asSiteId(siteId), name: 'x', ...limits },
    { actor: actorOf('Web: Anna'), keySites: 'all' },
  );
  assert.ok(created.ok);
  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  assert.deepEqual(owed().slice(-2), [
    [1, 'Haus am See', 'Web: Anna'],
    [1, 'Haus am See', 'API: Test'],
  ]);
});

// Contract: No other events are emitted by the API.
test('lists, refusals and failed creations queue no notification', async () => {
  const before = owed().length;
  const failing = await service.addSite('fail:refuse');
  const nothing = await service.addSite('fail:nothing');
  await service.call('GET', 'sites.php');
  await service.call('GET', 'vouchers.php?site_id=1');
  await service.call('GET', 'openapi.php');
  await service.call('POST', 'vouchers.php', { body: {} });
  await service.call('POST', 'vouchers.php', { key: null, body: { site_id: 1, name: 'x' } });
  await service.call('POST', 'vouchers.php', { body: { site_id: failing, name: 'x' } });
  await service.call('POST', 'vouchers.php', { body: { site_id: nothing, name: 'x' } });
  assert.equal(owed().length, before);
});

// Contract: The voucher is recorded with site, code, stored name, max_uses …
test('vouchers from a controller that returns no voucher ids are recorded too', async () => {
  const siteId = await service.addSite('default', 'Ohne Kennung');
  let made = 0;
  const controller: Controller = {
    bounds: {},
    overload: () => undefined,
    async createVouchers(order) {
      const code = String(++made).padStart(10, '0');
      const fresh = { controllerVoucherId: null, code, usedCount: 0, createdAtMs: 0, firstUsedAtMs: null };
      return ok({ vouchers: [{ ...order, ...fresh }] });
    },
    findVouchersNamed: async () => ok([]),
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
  for (let count = 0; count < 2; count++) {
    const created = await createVoucher(
      { siteId: asSiteId(siteId), name: 'x', ...limits },
      { actor: actorOf('API: Test'), keySites: 'all' },
    );
    assert.ok(created.ok);
  }
  const list = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.deepEqual(
    list.json.vouchers.map((voucher: { voucher_code: string }) => voucher.voucher_code),
    ['0000000002', '0000000001'],
  );
  const ids = service.rows('select controller_voucher_id as id from vouchers where site_id = ?', siteId);
  assert.deepEqual(
    ids.map(({ id }) => id),
    [null, null],
  );
});
