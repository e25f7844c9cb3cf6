// GET /sites.php → 429: the key's limit is reached.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('beyond the limit the sites are refused with 429', async () => {
  const key = await service.issueKey('read', 1);
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
  const refused = await service.call('GET', 'sites.php', { key });
  assert.equal(refused.status, 429);
  assert.deepEqual(refused.json, {
    error: 'rate_limited',
    message: 'Rate-Limit überschritten. Bitte später erneut versuchen.',
  });
  assert.equal(refused.headers.get('retry-after'), '60');
});

test('sites and vouchers share one limit per key', async () => {
  const key = await service.issueKey('read', 1);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key })).status, 200);
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 429);
});
