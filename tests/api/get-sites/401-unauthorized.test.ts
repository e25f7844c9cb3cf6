// GET /sites.php → 401: without a valid key.

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

test('the sites are not shown without a key', async () => {
  const reply = await service.call('GET', 'sites.php', { key: null });
  assert.equal(reply.status, 401);
  assert.equal(reply.text, BODY);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
});

test('the sites are not shown to a wrong key', async () => {
  const reply = await service.call('GET', 'sites.php', { key: `gpk_${'0'.repeat(46)}` });
  assert.equal(reply.status, 401);
  assert.equal(reply.text, BODY);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass", error="invalid_token"');
});
