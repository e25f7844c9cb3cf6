// A key with an expiry date gets the 401 of any wrong key from that moment on, also where a response to it is cached.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { type Reply, startTestService, type TestService } from '../../support/test-service.ts';
import { idOf } from './forge-key.ts';

const DAY_MS = 86_400_000;

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const audit = { actor: TESTER, atMs: 0 };

async function expiringKey(inMs: number, rateLimit = 0): Promise<string> {
  const expiresAtMs = service.clock.nowMs() + inMs;
  const { keyText } = await service.beside.issueKey(
    { name: 'Aushilfe', scope: 'write', rateLimit, expiresAtMs },
    audit,
  );
  return keyText;
}

const list = (key: string) => service.call('GET', 'vouchers.php?site_id=1', { key });
const setExpiry = (key: string, expiresAtMs: number | null) =>
  service.beside.keys.change(asKeyId(idOf(key)), { expiresAtMs }, audit);

function essence({ status, headers, text }: Reply): unknown {
  const kept = [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
  return { status, text, headers: Object.fromEntries(kept) };
}

test('a key works until it expires, and then gets the same 401 as an unknown key on every endpoint', async () => {
  for (const rateLimit of [0, 1_000]) {
    const key = await expiringKey(DAY_MS, rateLimit);
    // The second response to a key without a rate limit comes from the cache.
    for (let round = 0; round < 2; round++) assert.equal((await list(key)).status, 200);
    service.clock.advance(DAY_MS - 1);
    assert.equal((await list(key)).status, 200);
    service.clock.advance(1);

    const expected = essence(await service.call('GET', 'sites.php', { key: 'wrong' }));
    assert.deepEqual(essence(await list(key)), expected);
    assert.deepEqual(essence(await service.call('GET', 'sites.php', { key })), expected);
    const body = { site_id: 1, name: 'x' };
    assert.deepEqual(essence(await service.call('POST', 'vouchers.php', { key, body })), expected);
  }
  assert.deepEqual(service.rows('select id from vouchers'), []);
});

test('a changed expiry date applies from the next request on', async () => {
  const key = await expiringKey(DAY_MS);
  assert.equal((await list(key)).status, 200);
  await setExpiry(key, service.clock.nowMs());
  assert.equal((await list(key)).status, 401);
  await setExpiry(key, service.clock.nowMs() + DAY_MS);
  assert.equal((await list(key)).status, 200);
  await setExpiry(key, null);
  service.clock.advance(10 * DAY_MS);
  assert.equal((await list(key)).status, 200);
});

test('the log and the metrics say why a key was refused; only a whole key is named', async () => {
  const [expired, revoked] = [await expiringKey(0), await service.issueKey('read')];
  await service.beside.keys.revoke(asKeyId(idOf(revoked)), audit);
  const reasonOf = async (key: string) => {
    const { headers } = await list(key);
    const line = service.logLines.find(({ requestId }) => requestId === headers.get('x-request-id'));
    return [line?.msg, line?.refusedBecause, line?.keyId];
  };
  assert.deepEqual(await reasonOf(expired), ['answered', 'expired', idOf(expired)]);
  assert.deepEqual(await reasonOf(revoked), ['answered', 'revoked', idOf(revoked)]);
  assert.deepEqual(await reasonOf('wrong'), ['answered', 'malformed', undefined]);
  assert.deepEqual(await reasonOf(service.keyText), ['answered', undefined, idOf(service.keyText)]);

  const { text } = await service.call('GET', '/metrics', { key: null });
  assert.match(text, /^gastpass_api_keys_refused_total\{reason="expired"\} [1-9]/m);
  assert.match(text, /^gastpass_api_keys_refused_total\{reason="revoked"\} 1$/m);
});
