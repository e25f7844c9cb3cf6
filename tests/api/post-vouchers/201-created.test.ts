// POST /vouchers.php → 201: what is created, recorded, answered and announced.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('the answer has exactly the six fields of the contract', async () => {
  const reply = await service.call('POST', 'vouchers.php', { body: { site_id: 1, name: 'Zimmer 12' } });
  assert.equal(reply.status, 201);
  const { code, formatted_code, ...rest } = reply.json;
  assert.match(code, /^\d{10}$/);
  assert.equal(formatted_code, `${code.slice(0, 5)}-${code.slice(5)}`);
  assert.deepEqual(rest, { success: true, site: 'Demo', max_uses: 1, expire_minutes: 480 });
});
