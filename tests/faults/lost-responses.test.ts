// Controller responses that are lost: the voucher exists on the controller, and it is found, recorded and returned
// instead of being created a second time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { assertInBalance } from './bookkeeping.ts';

let service: TestService;
let site: number;
before(async () => {
  service = await startTestService({ webhook: true });
  site = await service.addSite('fail:lose-answer');
});
after(() => service.stop());

test('a lost controller response leaves no orphan: the client gets the voucher', async () => {
  const reply = await service.call('POST', 'vouchers.php', { body: { site_id: site, name: 'Zimmer 12' } });
  assert.equal(reply.status, 201);
  const { codes } = assertInBalance(service.config.dataDir);
  assert.deepEqual(codes, [reply.json.code]);
});

test('equal orders whose controller responses are lost at the same time get one voucher each', async () => {
  const body = { site_id: site, name: 'Zimmer 13', max_uses: 2 };
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => service.call('POST', 'vouchers.php', { body })),
  );
  for (const { status } of replies) assert.equal(status, 201);
  assert.equal(new Set(replies.map(({ json }) => json.code)).size, 20);
  assertInBalance(service.config.dataDir);
});

test('orders with the same name but different limits get the vouchers with their own limits', async () => {
  const uses = [1, 2, 3, 4, 5];
  const replies = await Promise.all(
    uses.map((max_uses) =>
      service.call('POST', 'vouchers.php', { body: { site_id: site, name: 'Zimmer 14', max_uses } }),
    ),
  );
  for (const [index, { json }] of replies.entries()) {
    const [row] = service.rows('select max_uses from vouchers where code = ?', json.code);
    assert.equal(row?.max_uses, uses[index]);
  }
  assertInBalance(service.config.dataDir);
});

test('a request repeated with its Idempotency-Key gets the same voucher', async () => {
  const options = { body: { site_id: site, name: 'Zimmer 15' }, headers: { 'idempotency-key': 'once' } };
  const first = await service.call('POST', 'vouchers.php', options);
  const second = await service.call('POST', 'vouchers.php', options);
  assert.equal(second.headers.get('idempotent-replayed'), 'true');
  assert.deepEqual(second.json, first.json);
  assertInBalance(service.config.dataDir);
});
