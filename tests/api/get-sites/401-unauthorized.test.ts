// GET /sites.php → 401: the request has no valid key.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const BODY =
  '{"error":"unauthorized","message":"Gültiger API-Schlüssel erforderlich (Authorization: Bearer …)"}';

// Contract: A request without a valid key is answered 401 (not authenticated).
// Contract: 401 | | No valid API key |
test('a request without a key is refused with 401', async () => {
  const reply = await service.call('GET', 'sites.php', { key: null });
  assert.equal(reply.status, 401);
  assert.equal(reply.text, BODY);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
});

test('a request with a wrong key is refused with 401', async () => {
  const reply = await service.call('GET', 'sites.php', { key: `gpk_${'0'.repeat(46)}` });
  assert.equal(reply.status, 401);
  assert.equal(reply.text, BODY);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass", error="invalid_token"');
});
