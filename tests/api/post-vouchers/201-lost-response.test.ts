// POST /vouchers.php when the controller created the voucher but its response was lost: the service finds the voucher
// on the controller and returns it. There is no orphan and no second voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openSimulatedVouchers } from '../../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER, upstreamVouchers } from '../support/post-vouchers-traces.ts';

let service: TestService;
let siteId: number;
before(async () => {
  service = await startTestService({ webhook: true });
  siteId = await service.addSite('fail:lose-answer', 'Funkloch');
});
after(() => service.stop());

const create = (fields: Record<string, unknown>) =>
  service.call('POST', 'vouchers.php', { body: { site_id: siteId, ...fields } });

test('a lost controller response leaves no orphan and no second voucher', async () => {
  const reply = await leaving(service, ONE_VOUCHER, () => create({ name: 'Verloren' }));
  assert.equal(reply.status, 201);
  const upstream = upstreamVouchers(service, 'fail:lose-answer').at(-1) ?? {};
  assert.equal(reply.json.code, upstream.code);
  const [row] = service.rows(
    'select code, controller_voucher_id as id from vouchers where site_id = ?',
    siteId,
  );
  assert.equal(row?.code, upstream.code);
  assert.equal(row?.id, upstream.id);
});

test('equal orders whose controller responses are all lost get one voucher each', async () => {
  const many = { vouchers: 20, upstream: 20, notifications: 20, auditEntries: 20 };
  const replies = await leaving(service, many, () =>
    Promise.all(Array.from({ length: 20 }, () => create({ name: 'Gruppe' }))),
  );
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(replies.map(({ json }) => json.code)).size, 20);
});

test('a voucher with the same name but other limits is not mistaken for the lost voucher', async () => {
  // Created directly on the controller, so the service has not recorded them.
  const simulated = openSimulatedVouchers(service.config.dataDir);
  const wanted = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const name = '2026-01-15_Gleich';
  const others = [{ maxUses: 2 }, { expireMinutes: 5 }, { downKbps: 9 }, { upKbps: 9 }, { quotaMb: 9 }];
  const strangers = others.map((limit) =>
    simulated.create(`${siteId}/fail:lose-answer`, { name, ...wanted, ...limit }, service.clock.nowMs()),
  );
  simulated.close();

  const reply = await leaving(service, ONE_VOUCHER, () => create({ name: 'Gleich' }));
  assert.equal(reply.status, 201);
  assert.ok(!strangers.some(({ code }) => code === reply.json.code));
  assert.equal(reply.json.code, upstreamVouchers(service, 'fail:lose-answer').at(-1)?.code);
});
