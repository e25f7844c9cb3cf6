// Methods other than GET on /openapi.php → 405.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('every method except GET on the description is refused with 405, with or without a key', async () => {
  for (const key of [null, service.keyText])
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
      const reply = await service.call(method, 'openapi.php', { key });
      assert.equal(reply.status, 405, method);
      assert.equal(reply.text, method === 'HEAD' ? '' : '{"error":"method_not_allowed"}', method);
      assert.equal(reply.headers.get('allow'), 'GET', method);
    }
});
