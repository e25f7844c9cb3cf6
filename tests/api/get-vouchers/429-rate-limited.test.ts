// GET /vouchers.php → 429: the key has reached its rate limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: 429 | | Key's rate limit exceeded |
// Contract: Error codes and body for 401, 403 and 429: not shown.
test('a request over the limit is refused with 429 and Retry-After', async () => {
  const key = await service.issueKey('read', 2);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key })).status, 200);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key })).status, 200);

  const refused = await service.call('GET', 'vouchers.php?site_id=1', { key });
  assert.equal(refused.status, 429);
  assert.equal(
    refused.text,
    '{"error":"rate_limited","message":"Rate-Limit überschritten. Bitte später erneut versuchen."}',
  );
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.equal(refused.headers.get('cache-control'), 'no-store');
});

// Contract: The rate limit is enforced per key before the endpoint logic …
test('the limit is checked before the method and before site_id', async () => {
  const key = await service.issueKey('read', 1);
  await service.call('GET', 'vouchers.php?site_id=1', { key });
  assert.equal((await service.call('GET', 'vouchers.php', { key })).status, 429);
  assert.equal((await service.call('DELETE', 'vouchers.php', { key })).status, 429);
  assert.equal((await service.call('POST', 'vouchers.php', { key, body: {} })).status, 429);
});

test('a request with the current ETag is rate limited too', async () => {
  const key = await service.issueKey('read', 1);
  const first = await service.call('GET', 'vouchers.php?site_id=1', { key });
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' };
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key, headers })).status, 429);
});
