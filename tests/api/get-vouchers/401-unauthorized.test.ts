// GET /vouchers.php → 401: without a valid key, the response reveals nothing, not even whether the rest of the request
// is valid.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: A request without a valid key is answered 401 (not authenticated).
// Contract: 401 | | No valid API key |
// Contract: Error codes and body for 401, 403 and 429: not shown.
test('a request without a key is refused with 401, and the response says how to send a key', async () => {
  const reply = await service.call('GET', 'vouchers.php?site_id=1', { key: null });
  assert.equal(reply.status, 401);
  assert.equal(
    reply.text,
    '{"error":"unauthorized","message":"Gültiger API-Schlüssel erforderlich (Authorization: Bearer …)"}',
  );
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
  assert.equal(reply.headers.get('cache-control'), 'no-store');
  assert.equal(reply.headers.get('etag'), null);
});

test('a request with a wrong key is refused with 401', async () => {
  const reply = await service.call('GET', 'vouchers.php?site_id=1', { key: 'gpk_wrong' });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass", error="invalid_token"');
});

test('the key is checked before the method and before site_id', async () => {
  assert.equal((await service.call('GET', 'vouchers.php', { key: null })).status, 401);
  assert.equal((await service.call('DELETE', 'vouchers.php?site_id=1', { key: null })).status, 401);
});
