// GET /vouchers.php → 200: the list comes from the service's own records, whatever the state of the site and its
// controller.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { openSimulatedVouchers } from '../../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { runGastpass } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { raiseListVersion, seedVoucher } from './seed-vouchers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function listed(siteId: number): Promise<Record<string, unknown>[]> {
  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(reply.status, 200);
  return reply.json.vouchers;
}

// Contract: The list comes from the service's own records, not from the upstream …
test('the list comes from the service’s own records: changes on the controller do not affect it', async () => {
  const siteId = await service.addSite('own-records');
  const created = await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'Zimmer 1' } });
  assert.equal(created.status, 201);

  const controller = new DatabaseSync(join(service.config.dataDir, 'simulator.sqlite'));
  const { changes } = controller
    .prepare('update vouchers set code = ? where site = ?')
    .run('999', `${siteId}/own-records`);
  controller
    .prepare(
      `insert into vouchers (id, site, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
                             created_at_ms)
       values ('made-there', '${siteId}/own-records', '888', 'made there', 1, 480, 0, 0, 0, 0)`,
    )
    .run();
  controller.close();
  assert.equal(changes, 1);
  raiseListVersion(service, siteId);

  const codes = (await listed(siteId)).map((voucher) => voucher.voucher_code);
  assert.deepEqual(codes, [created.json.code]);
});

test('vouchers are listed even if the controller is unreachable', async () => {
  const siteId = await service.addSite('fail:unreachable');
  seedVoucher(service, { siteId, code: '0123456789' });
  assert.equal((await listed(siteId)).length, 1);
});

// Contract: The site is not checked for existence or activity: a valid id …
test('a site that does not exist has an empty list', async () => {
  const reply = await service.call('GET', 'vouchers.php?site_id=4711');
  assert.equal(reply.status, 200);
  assert.equal(reply.text, '{"vouchers":[]}');
});

// Contract: The site is not checked for existence or activity: a valid id …
test('a site without vouchers has an empty list', async () => {
  assert.deepEqual(await listed(await service.addSite()), []);
});

// Contract: The site is not checked for existence or activity: a valid id …
test('an inactive site still lists its vouchers', async () => {
  const siteId = await service.addSite();
  seedVoucher(service, { siteId, code: '0123456789' });
  service.change('update sites set active = 0 where id = ?', siteId);
  assert.equal((await listed(siteId)).length, 1);
});

// Contract: It creates and lists wireless-network access vouchers, grouped …
// Contract: Lists the vouchers of one site.
test('each site lists only its own vouchers', async () => {
  const [one, other] = [await service.addSite(), await service.addSite()];
  seedVoucher(service, { siteId: one, code: '1111111111' });
  seedVoucher(service, { siteId: other, code: '2222222222' });
  assert.deepEqual(
    (await listed(one)).map((voucher) => voucher.voucher_code),
    ['1111111111'],
  );
});

test('a site that is added after its empty list was requested lists its vouchers', async () => {
  const highest = Number(service.rows('select max(id) as id from sites')[0]?.id);
  assert.deepEqual(await listed(highest + 1), []);
  const siteId = await service.addSite();
  assert.equal(siteId, highest + 1);
  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  assert.equal((await listed(siteId)).length, 1);
});

test('a new voucher is in the next list', async () => {
  const siteId = await service.addSite();
  for (let count = 1; count <= 20; count++) {
    await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: `Zimmer ${count}` } });
    assert.equal((await listed(siteId)).length, count);
  }
});

test('changes that another process recorded are in the next list', async () => {
  const { dataDir } = service.config;
  const siteId = await service.addSite('synced');
  const { json } = await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  assert.equal((await listed(siteId))[0]?.used_count, 0);

  const controller = openSimulatedVouchers(dataDir);
  assert.ok(controller.redeem(`${siteId}/synced`, json.code, service.clock.nowMs()));
  controller.close();
  const { code, stderr } = await runGastpass(['sync', '--site', String(siteId)], { dataDir });
  assert.deepEqual([code, stderr], [0, '']);
  assert.equal((await listed(siteId))[0]?.used_count, 1);
});
