// GET /openapi.php → 200: no key is required, and requests do not count against a rate limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: All endpoints except the OpenAPI description require an API key …
// Contract: The endpoint performs no API-key check and no rate limiting.
test('a request with no key, a wrong key or a revoked key gets the description', async () => {
  const revoked = await service.issueKey('read');
  service.change('update api_keys set revoked_at_ms = 1 where id = ?', revoked.slice(4, 12));
  for (const key of [null, 'wrong', revoked])
    assert.equal((await service.call('GET', 'openapi.php', { key })).status, 200);
});

// Contract: The endpoint performs no API-key check and no rate limiting.
test('requests for the description are not counted, are not refused with 429 and get no limit headers', async () => {
  const key = await service.issueKey('read', 1);
  for (let count = 0; count < 5; count++) {
    const reply = await service.call('GET', 'openapi.php', { key });
    assert.equal(reply.status, 200);
    assert.equal(reply.headers.get('ratelimit'), null);
    assert.equal(reply.headers.get('x-ratelimit-limit'), null);
  }
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 429);
  assert.equal((await service.call('GET', 'openapi.php', { key })).status, 200);
});
