// Methods other than GET and POST on /vouchers.php → 405, with a body that has no message.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: Any method other than GET and POST gives 405 with body `{ "error" …
// Contract: The 405 case has no message.
// Contract: 405 | method_not_allowed | Method other than GET or POST on /vouchers.php …
test('every other method is refused with 405 without a message, and Allow lists the allowed methods', async () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY']) {
    const body = method === 'OPTIONS' ? undefined : { site_id: 1, name: 'x' };
    const reply = await service.call(method, 'vouchers.php?site_id=1', { body });
    assert.equal(reply.status, 405, method);
    assert.equal(reply.text, '{"error":"method_not_allowed"}', method);
    assert.equal(reply.headers.get('allow'), 'GET, POST', method);
  }
  assert.deepEqual(service.rows('select id from vouchers'), []);
});

test('HEAD is refused with 405 too, without a body', async () => {
  const reply = await service.call('HEAD', 'vouchers.php?site_id=1');
  assert.equal(reply.status, 405);
  assert.equal(reply.text, '');
  assert.equal(reply.headers.get('allow'), 'GET, POST');
});

test('TRACE is refused with 405, and the response does not echo the request', async () => {
  const head = `Host: x\r\nConnection: close\r\nX-API-Key: ${service.keyText}`;
  const response = await rawRequest(service.url, `TRACE /api/vouchers.php HTTP/1.1\r\n${head}\r\n\r\n`);
  assert.match(response, /^HTTP\/1\.1 405 /);
  assert.match(response, /\r\n\r\n\{"error":"method_not_allowed"\}$/);
  assert.ok(!response.includes(service.keyText));
});

test('the method is checked before scope and input: a read key gets a 405, not a 403 or 400', async () => {
  const key = await service.issueKey('read');
  assert.equal((await service.call('DELETE', 'vouchers.php', { key })).status, 405);
});

test('a header or parameter that requests another method is ignored', async () => {
  const headers = { 'x-http-method-override': 'DELETE' };
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1&_method=DELETE', { headers })).status, 200);
});
