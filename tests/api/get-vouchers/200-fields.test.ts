// GET /vouchers.php → 200: the fields of a listed voucher, their types, and the headers of the response.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { nowS, seedVoucher } from './seed-vouchers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: voucher_code | string | Code of the voucher
// Contract: voucher_name | string | Stored name: `<YYYY-MM-DD>_<name>`, where …
// Contract: max_uses | integer | Number of times the voucher may be used
// Contract: expire_minutes | integer | Validity in minutes
// Contract: status | string | Status of the voucher
// Contract: used_count | number | Count of uses
// Contract: created_at | timestamp | Creation time
// Contract: A voucher carries a `status` field.
// Contract: Success: 200, body `{ "vouchers": [ <voucher>, ... ] }`, where …
test('a created voucher is listed with exactly the eight fields of the contract', async () => {
  const siteId = await service.addSite();
  const body = {
    site_id: siteId,
    name: '  Zimmer 12 ',
    max_uses: 3,
    expire_minutes: 60,
    qos: { down: 5000 },
  };
  const created = await service.call('POST', 'vouchers.php', { body });

  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(reply.status, 200);
  assert.deepEqual(reply.json, {
    vouchers: [
      {
        voucher_code: created.json.code,
        voucher_name: '2026-01-15_Zimmer 12',
        max_uses: 3,
        expire_minutes: 60,
        status: 'valid',
        used_count: 0,
        created_at: '2026-01-15T11:28:51Z',
        expires_at: null,
      },
    ],
  });
});

// Contract: voucher_code | string | Code of the voucher
test('the code of a voucher is a string, so that leading zeros are kept', async () => {
  const siteId = await service.addSite();
  seedVoucher(service, { siteId, code: '0000015936' });
  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(reply.json.vouchers[0].voucher_code, '0000015936');
});

// Contract: created_at | timestamp | Creation time
// Contract: Types and formats of status, used_count, created_at and expires_at …
test('timestamps are RFC 3339 in UTC, truncated to whole seconds', async () => {
  const siteId = await service.addSite();
  service.clock.advance(999);
  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } });
  seedVoucher(service, { siteId, code: '0000000001', usedCount: 1, firstUsedAtS: nowS(service) });

  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  const stamps = reply.json.vouchers.flatMap(({ created_at, expires_at }: Record<string, string | null>) => [
    created_at,
    expires_at,
  ]);
  assert.deepEqual(stamps.sort(), [
    '2026-01-15T11:28:51Z',
    '2026-01-15T11:28:51Z',
    '2026-01-15T19:28:51Z',
    null,
  ]);
});

// Contract: expires_at | timestamp | Expiry time
// Contract: Types and formats of status, used_count, created_at and expires_at …
test('expires_at is null until the first use, then the time of the first use plus expire_minutes', async () => {
  const siteId = await service.addSite();
  const firstUsedAtS = Date.parse('2026-01-15T11:00:00Z') / 1000;
  seedVoucher(service, { siteId, code: '0000000001', createdAtS: firstUsedAtS - 86_400 });
  const before = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(before.json.vouchers[0].expires_at, null);

  seedVoucher(service, {
    siteId,
    code: '0000000002',
    expireMinutes: 90,
    maxUses: 5,
    usedCount: 1,
    firstUsedAtS,
  });
  const then = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(then.json.vouchers[0].expires_at, '2026-01-15T12:30:00Z');
  assert.equal(then.json.vouchers[0].used_count, 1);
});

test('names are returned unchanged, with Unicode characters and slashes unescaped', async () => {
  const siteId = await service.addSite();
  const name = 'Büro 3/4 – „Gäste“ 🎫 ١٢ \u200Fعربي <b>&"';
  await service.call('POST', 'vouchers.php', { body: { site_id: siteId, name } });
  const reply = await service.call('GET', `vouchers.php?site_id=${siteId}`);
  assert.equal(reply.json.vouchers[0].voucher_name, `2026-01-15_${name}`);
  assert.ok(reply.text.includes('2026-01-15_Büro 3/4 – „Gäste“ 🎫 ١٢ \u200Fعربي <b>&\\"'));
});

test('the response is UTF-8 JSON that only the client may cache and must revalidate', async () => {
  const reply = await service.call('GET', 'vouchers.php?site_id=1');
  assert.equal(reply.headers.get('content-type'), 'application/json; charset=utf-8');
  assert.equal(reply.headers.get('cache-control'), 'private, no-cache');
  assert.match(reply.headers.get('etag') ?? '', /^"[^"]+"$/);
});
