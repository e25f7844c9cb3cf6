// Where a request may carry its key: Authorization: Bearer, else X-API-Key. Nowhere else.

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

test('the header Authorization: Bearer carries the key, the scheme written in any case', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
    assert.equal((await callWith({ authorization: `${scheme} ${key}` })).status, 200, scheme);
});

test('blanks around a Bearer key do not matter', async () => {
  const head = `Host: x\r\nConnection: close\r\nAuthorization:  Bearer \t  ${key}  `;
  assert.match(
    await rawRequest(service.url, `GET /api/sites.php HTTP/1.1\r\n${head}\r\n\r\n`),
    /^HTTP\/1\.1 200 /,
  );
});

test('the header X-API-Key carries the key', async () => {
  assert.equal((await callWith({ 'X-API-Key': key })).status, 200);
  assert.equal((await callWith({ 'x-api-key': key })).status, 200);
});

test('a Bearer key goes first: X-API-Key is not asked when there is one', async () => {
  const wrong = await callWith({ authorization: 'Bearer wrong', 'x-api-key': key });
  assert.equal(wrong.status, 401);
  assert.equal((await callWith({ authorization: `Bearer ${key}`, 'x-api-key': 'wrong' })).status, 200);
});

test('X-API-Key counts when Authorization holds something other than a Bearer key', async () => {
  for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Digest x', 'BearerX', key])
    assert.equal((await callWith({ authorization, 'x-api-key': key })).status, 200, authorization);
});

test('a key in Authorization without its scheme is no key', async () => {
  for (const authorization of [key, `Basic ${key}`, `Token ${key}`, `Bearer:${key}`, `Bearer${key}`]) {
    const reply = await callWith({ authorization });
    assert.equal(reply.status, 401, authorization);
    assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
  }
});

test('a key in the URL is never read, whatever the parameter is called', async () => {
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

test('cookies, other headers and the body are not searched for a key', async () => {
  assert.equal((await callWith({ cookie: `X-API-Key=${key}; api_key=${key}` })).status, 401);
  assert.equal((await callWith({ 'x-auth-token': key, 'proxy-authorization': `Bearer ${key}` })).status, 401);
  const body = { site_id: 1, name: 'x', api_key: key };
  assert.equal((await service.call('POST', 'vouchers.php', { key: null, body })).status, 401);
});

test('an empty X-API-Key is no key', async () => {
  const reply = await callWith({ 'x-api-key': '' });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get('www-authenticate'), 'Bearer realm="gastpass"');
});
