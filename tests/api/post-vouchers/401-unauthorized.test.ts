// POST /vouchers.php → 401: without a valid key, nothing is read and nothing is created. Every failure gets the same
// body; the WWW-Authenticate header tells whether a key was sent.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { makeKeyText } from '../../../src/kernel/keys/api-key.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

const BODY =
  '{"error":"unauthorized","message":"Gültiger API-Schlüssel erforderlich (Authorization: Bearer …)"}';
const NO_KEY = 'Bearer realm="gastpass"';
const BAD_KEY = 'Bearer realm="gastpass", error="invalid_token"';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

async function assertRefused(headers: Record<string, string>, challenge: string, path = 'vouchers.php') {
  await leaving(service, {}, async () => {
    const reply = await service.call('POST', path, {
      key: null,
      headers,
      body: { site_id: 1, name: 'Fremd', api_key: service.keyText },
    });
    assert.equal(reply.status, 401);
    assert.equal(reply.text, BODY);
    assert.equal(reply.headers.get('www-authenticate'), challenge);
    assert.equal(reply.headers.get('cache-control'), 'no-store');
  });
}

// Contract: A request without a valid key is answered 401 (not authenticated).
// Contract: 401 | | No valid API key |
test('a request without a key is refused with 401', async () => {
  await assertRefused({}, NO_KEY);
  await assertRefused({ authorization: '' }, NO_KEY);
  await assertRefused({ authorization: 'Bearer' }, NO_KEY);
  await assertRefused({ 'x-api-key': '' }, NO_KEY);
});

test('a key in the URL or in the body is ignored', async () => {
  await assertRefused({}, NO_KEY, `vouchers.php?api_key=${service.keyText}&key=${service.keyText}`);
});

test('a key with another authentication scheme is ignored', async () => {
  const basic = Buffer.from(`gastpass:${service.keyText}`).toString('base64');
  await assertRefused({ authorization: `Basic ${basic}` }, NO_KEY);
  await assertRefused({ authorization: service.keyText }, NO_KEY);
});

test('a malformed key is refused with 401', async () => {
  const key = service.keyText;
  const lastCharacter = key.endsWith('0') ? '1' : '0';
  for (const text of ['x', 'gpk_', key.slice(0, -1), `${key}0`, key.slice(0, -1) + lastCharacter, `${key},`])
    await assertRefused({ authorization: `Bearer ${text}` }, BAD_KEY);
});

test('a well-formed key that was never issued is refused with 401', async () => {
  await assertRefused({ 'x-api-key': makeKeyText().keyText }, BAD_KEY);
});

test('a wrong Bearer key is refused with 401 even if X-API-Key is valid', async () => {
  const wrong = makeKeyText().keyText;
  await assertRefused({ authorization: `Bearer ${wrong}`, 'x-api-key': service.keyText }, BAD_KEY);
});

test('a revoked key is refused with 401 from the next request on', async () => {
  const key = await service.issueKey('write');
  const order = { key, body: { site_id: 1, name: 'Noch gültig' } };
  assert.equal((await service.call('POST', 'vouchers.php', order)).status, 201);

  const id = asKeyId(key.slice('gpk_'.length, 'gpk_'.length + 8));
  await service.beside.keys.revoke(id, { actor: TESTER, atMs: service.clock.nowMs() });
  await assertRefused({ authorization: `Bearer ${key}` }, BAD_KEY);
});
