// GET /vouchers.php → 200: every notation of site_id in the URL that is accepted.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { seedVoucher } from './seed-vouchers.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
  seedVoucher(service, { siteId: 1, code: '0123456789' });
});
after(() => service.stop());

async function countFor(query: string): Promise<number> {
  const reply = await service.call('GET', `vouchers.php?${query}`);
  assert.equal(reply.status, 200, query);
  return reply.json.vouchers.length;
}

// Contract: Requires scope `read`.
test('a read key and a write key can both list vouchers', async () => {
  for (const scope of ['read', 'write'] as const) {
    const key = await service.issueKey(scope);
    const reply = await service.call('GET', 'vouchers.php?site_id=1', { key });
    assert.equal(reply.status, 200);
    assert.equal(reply.json.vouchers.length, 1);
  }
});

// Contract: Query parameter `site_id`: integer, required.
// Contract: The value is converted to an integer; a missing, non-numeric …
test('site_id is converted to an integer from any decimal notation', async () => {
  const plain = ['1', '001', '1.0', '1.999', '1e0', '10e-1', '.1e1'];
  const signedOrBlank = ['%2B1', '+1', '1+', '%201%20', '%091%0A'];
  for (const text of [...plain, ...signedOrBlank]) assert.equal(await countFor(`site_id=${text}`), 1, text);
});

test('percent-encoding in the name and the value of the parameter is decoded', async () => {
  assert.equal(await countFor('site_id=%31'), 1);
  assert.equal(await countFor('s%69te_id=1'), 1);
  assert.equal(await countFor('%73%69%74%65%5F%69%64=%30%31'), 1);
});

test('if site_id is repeated, the last value counts', async () => {
  assert.equal(await countFor('site_id=999&site_id=1'), 1);
  assert.equal(await countFor('site_id=abc&site_id=1'), 1);
  assert.equal(await countFor('site_id=1&site_id=999'), 0);
});

// Contract: No other parameters are read.
test('other parameters are ignored, whatever their position', async () => {
  assert.equal(await countFor('a=b&site_id=1&status=expired&limit=0&order=asc&__proto__=2&=&&'), 1);
  assert.equal(await countFor('name=%FF%FE&site_id=1'), 1);
});

test('the list is empty for a number larger than any site id', async () => {
  const huge = [
    '2147483647',
    '2147483648',
    '4294967297',
    '99999999999999999999',
    '1e308',
    '1e999',
    '9'.repeat(4_000),
  ];
  for (const text of huge) assert.equal(await countFor(`site_id=${text}`), 0, text.slice(0, 30));
});

test('a request target in absolute form is accepted', async () => {
  const head = `Host: x\r\nConnection: close\r\nX-API-Key: ${service.keyText}`;
  const response = await rawRequest(
    service.url,
    `GET ${service.api}/vouchers.php?site_id=1 HTTP/1.1\r\n${head}\r\n\r\n`,
  );
  assert.match(response, /^HTTP\/1\.1 200 /);
  assert.match(response, /"voucher_code":"0123456789"/);
});
