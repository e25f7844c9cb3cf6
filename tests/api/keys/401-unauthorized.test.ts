// All invalid keys get the same 401, so that the response does not reveal how close a guess was.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { forgeKey, idOf, secretOf } from './forge-key.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const OTHER_SECRET = 'A'.repeat(32);

/** The parts of a response that do not differ from request to request. */
function essence({ status, headers, text }: Reply): unknown {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, text, headers: Object.fromEntries(kept) };
}

// Contract: A request without a valid key is answered 401 (not authenticated).
test('keys with a wrong format, checksum, id or secret and revoked keys get the same response', async () => {
  const { keyText } = service;
  const revoked = await service.issueKey('write', 5);
  assert.equal((await service.call('GET', 'sites.php', { key: revoked })).status, 200);
  service.change('update api_keys set revoked_at_ms = 1 where id = ?', idOf(revoked));

  const checksumOff = keyText.slice(0, -1) + (keyText.endsWith('0') ? '1' : '0');
  const wrong = {
    'wrong shape': 'x',
    'too short': keyText.slice(0, -1),
    'too long': `${keyText}0`,
    'very long': 'x'.repeat(8_000),
    'another prefix': `gpx_${keyText.slice(4)}`,
    'other case': keyText.toLowerCase(),
    'wrong checksum': checksumOff,
    'unknown id': forgeKey('zzzzzzzz', secretOf(keyText)),
    'wrong secret': forgeKey(idOf(keyText), OTHER_SECRET),
    'SQL for an id': `gpk_' or 1=1${keyText.slice(12)}`,
    revoked,
  };
  const seen = new Map<string, unknown>();
  for (const [fault, key] of Object.entries(wrong))
    seen.set(fault, essence(await service.call('GET', 'sites.php', { key })));

  const expected = {
    status: 401,
    text: '{"error":"unauthorized","message":"Gültiger API-Schlüssel erforderlich (Authorization: Bearer …)"}',
  };
  const first = seen.get('wrong shape');
  assert.partialDeepStrictEqual(first, {
    ...expected,
    headers: {
      'www-authenticate': 'Bearer realm="gastpass", error="invalid_token"',
      'cache-control': 'no-store',
    },
  });
  for (const [fault, response] of seen) assert.deepEqual(response, first, fault);
});

// Contract: All endpoints except the OpenAPI description require an API key …
test('the response to an invalid key is the same on every endpoint and for both headers', async () => {
  const requests = [
    ['GET', 'sites.php'],
    ['GET', 'vouchers.php?site_id=1'],
    ['GET', 'vouchers.php'],
    ['POST', 'vouchers.php'],
    ['DELETE', 'vouchers.php'],
  ] as const;
  const expected = essence(await service.call('GET', 'sites.php', { key: 'wrong' }));
  for (const [method, path] of requests) {
    assert.deepEqual(essence(await service.call(method, path, { key: 'wrong' })), expected);
    const headers = { 'x-api-key': 'wrong' };
    assert.deepEqual(essence(await service.call(method, path, { key: null, headers })), expected);
  }
});

test('a request with a refused key creates nothing', async () => {
  const key = forgeKey(idOf(service.keyText), OTHER_SECRET);
  await service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'x' } });
  assert.deepEqual(service.rows('select id from vouchers'), []);
  assert.deepEqual(service.rows('select id from intents'), []);
});
