// /vouchers.php with any method other than GET and POST → 405, with a body that has no message.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { METHODS, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

/** Uses node:http, because fetch refuses to send some methods. */
async function send(method: string, keyText: string) {
  const body = method === 'HEAD' ? '' : '{"site_id":1,"name":"Falsch"}';
  const outgoing = request(`${service.api}/vouchers.php?site_id=1`, {
    method,
    headers: { authorization: `Bearer ${keyText}`, 'content-length': Buffer.byteLength(body) },
  });
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

// CONNECT requests a tunnel, not a path.
const others = METHODS.filter((method) => !['GET', 'POST', 'CONNECT'].includes(method));

test('Node.js supports the methods that these tests send', () => {
  for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE'])
    assert.ok(others.includes(method));
});

// Contract: Any method other than GET and POST gives 405 with body `{ "error" …
// Contract: 405 | method_not_allowed | Method other than GET or POST on /vouchers.php …
for (const method of others)
  test(`${method} is refused with 405, and Allow lists the allowed methods`, async () => {
    const reply = await leaving(service, {}, () => send(method, service.keyText));
    assert.equal(reply.status, 405);
    assert.equal(reply.headers.allow, 'GET, POST');
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.body, method === 'HEAD' ? '' : '{"error":"method_not_allowed"}');
  });

test('a read key gets a 405 for the method, not a 403 for the scope', async () => {
  assert.equal((await send('DELETE', await service.issueKey('read'))).status, 405);
});

test('a request without a valid key gets a 401, whatever the method', async () => {
  for (const method of ['PUT', 'OPTIONS', 'TRACE']) assert.equal((await send(method, 'x')).status, 401);
});
