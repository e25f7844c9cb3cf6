// GET /sites.php → 429: the key has reached its rate limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('a request over the limit is refused with 429', async () => {
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

// Contract: 429 | | Key's rate limit exceeded |
test('sites.php and vouchers.php share one limit per key', async () => {
  const key = await service.issueKey('read', 1);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key })).status, 200);
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 429);
});
