// GET /vouchers.php → 200: the order of the list and its maximum length.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { raiseListVersion, seedVoucher } from './seed-vouchers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function codesOf(siteId: number): Promise<string[]> {
  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(reply.status, 200);
  return reply.json.vouchers.map((voucher: { voucher_code: string }) => voucher.voucher_code);
}

// Contract: Ordering: newest first by created_at.
test('the newest voucher is listed first, by created_at and not by the order of recording', async () => {
  const siteId = await service.addSite();
  seedVoucher(service, { siteId, code: 'middle', createdAtS: 2_000 });
  seedVoucher(service, { siteId, code: 'oldest', createdAtS: 1_000 });
  seedVoucher(service, { siteId, code: 'newest', createdAtS: 3_000 });
  assert.deepEqual(await codesOf(siteId), ['newest', 'middle', 'oldest']);
});

// Contract: Ordering: newest first by created_at.
test('if vouchers were created in the same second, the voucher recorded last is listed first', async () => {
  const siteId = await service.addSite();
  for (const code of ['first', 'second', 'third']) seedVoucher(service, { siteId, code, createdAtS: 5_000 });
  assert.deepEqual(await codesOf(siteId), ['third', 'second', 'first']);
});

// Contract: There is no pagination.
// Contract: At most 200 elements are returned.
// Contract: List size | 200 vouchers per GET /vouchers.php response | GET …
test('only the newest 200 vouchers are listed, and no parameter returns more', async () => {
  const siteId = await service.addSite();
  service.change(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
                           used_count, created_at_s)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 250)
     select cast(? as integer), cast(n as text), 'Zimmer', 1, 480, 0, 0, 0, 0, n from numbers`,
    siteId,
  );
  raiseListVersion(service, siteId);

  const codes = await codesOf(siteId);
  assert.equal(codes.length, 200);
  assert.equal(codes[0], '250');
  assert.equal(codes.at(-1), '51');

  const asked = await service.call(
    'GET',
    `vouchers.php?site_id=${siteId}&limit=250&offset=1&page=2&per_page=9`,
  );
  assert.deepEqual(
    asked.json.vouchers.map((voucher: { voucher_code: string }) => voucher.voucher_code),
    codes,
  );
});

test('a site with exactly 200 vouchers lists all of them', async () => {
  const siteId = await service.addSite();
  service.change(
    `insert into vouchers (site_id, code, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb,
                           used_count, created_at_s)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 200)
     select cast(? as integer), cast(n as text), 'Zimmer', 1, 480, 0, 0, 0, 0, n from numbers`,
    siteId,
  );
  raiseListVersion(service, siteId);
  assert.equal((await codesOf(siteId)).length, 200);
});
