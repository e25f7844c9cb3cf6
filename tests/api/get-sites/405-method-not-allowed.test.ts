// Methods other than GET on /sites.php → 405.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

test('every method except GET on the sites is refused with 405 and Allow: GET', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD']) {
    const reply = await service.call(method, 'sites.php');
    assert.equal(reply.status, 405, method);
    assert.equal(reply.text, method === 'HEAD' ? '' : '{"error":"method_not_allowed"}', method);
    assert.equal(reply.headers.get('allow'), 'GET', method);
  }
});

test('another method on the sites gets a 401 without a key and a 405 with a read key', async () => {
  assert.equal((await service.call('POST', 'sites.php', { key: null })).status, 401);
  const key = await service.issueKey('read');
  assert.equal((await service.call('POST', 'sites.php', { key, body: {} })).status, 405);
});
