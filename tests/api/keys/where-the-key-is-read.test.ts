// The headers from which a key is read: Authorization: Bearer or, if there is no Bearer key, X-API-Key. A key is read
// from no other place.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { rawRequest } from '../../support/raw-request.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
let key: string;
before(async () => {
  service = await startTestService();
  key = service.keyText;
});
after(() => service.stop());

function callWith(headers: Record<string, string>, query = ''): Promise<Reply> {
  return service.call('GET', `sites.php${query}`, { key: null, headers });
}

// Contract: Clients authenticate with an API key.
// Contract: header `Authorization: Bearer <API_KEY>`;
test('a key is read from Authorization: Bearer, and the scheme is not case-sensitive', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    assert.equal((await callWith({ authorization: `${scheme} ${key}` })).status, 200, scheme);
});

test('whitespace around a Bearer key is ignored', async () => {
  const head = `Host: x\r\nConnection: close\r\nAuthorization:  Bearer \t  ${key}  `;
  assert.match(
    await rawRequest(service.url, `GET /api/sites.php HTTP/1.1\r\n${head}\r\n\r\n`),
    /^HTTP\/1\.1 200 /,
  );
});

// Contract: Clients authenticate with an API key.
// Contract: header `X-API-Key: <API_KEY>`.
test('a key is read from X-API-Key', async () => {
  assert.equal((await callWith({ 'X-API-Key': key })).status, 200);
  assert.equal((await callWith({ 'x-api-key': key })).status, 200);
});

test('a Bearer key takes precedence: X-API-Key is ignored if a Bearer key is sent', async () => {
  const wrong = await callWith({ authorization: 'Bearer wrong', 'x-api-key': key });
  assert.equal(wrong.status, 401);
  assert.equal((await callWith({ authorization: `Bearer ${key}`, 'x-api-key': 'wrong' })).status, 200);
});

test('X-API-Key is read if Authorization contains no Bearer key', async () => {
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Digest x', 'BearerX', key])
    assert.equal((await callWith({ authorization, 'x-api-key': key })).status, 200, authorization);
});

test('a key in Authorization without the Bearer scheme is ignored', async () => {
  for (const authorization of [key, `Basic ${key}`, `Token ${key}`, `Bearer:${key}`, `Bearer${key}`]) {
    const reply = await callWith({ authorization });
    assert.equal(reply.status, 401, authorization);
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
  }
});

test('a key in the URL is never read, whatever the name of the parameter', async () => {
  for (const name of [
    'api_key',
    'key',
    'apikey',
    'access_token',
    'token',
    'X-API-Key',
    'x-api-key',
    'bearer',
  ]) {
    const reply = await callWith({}, `?${name}=${key}`);
    assert.equal(reply.status, 401, name);
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"', 'no key was sent');
  }
  assert.equal((await callWith({}, `?Authorization=Bearer%20${key}`)).status, 401);
});

test('a key in a cookie, another header or the body is ignored', async () => {
  assert.equal((await callWith({ cookie: `X-API-Key=${key}; api_key=${key}` })).status, 401);
  assert.equal((await callWith({ 'x-auth-token': key, 'proxy-authorization': `Bearer ${key}` })).status, 401);
  const body = { site_id: 1, name: 'x', api_key: key };
  assert.equal((await service.call('POST', 'vouchers.php', { key: null, body })).status, 401);
});

test('an empty X-API-Key counts as no key', async () => {
  const reply = await callWith({ 'x-api-key': '' });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
});
