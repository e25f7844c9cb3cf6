// Which requests count against a limit, which limits are allowed, and when a changed limit takes effect.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { type CallOptions, startTestService, type TestService } from '../../support/test-service.ts';
import { forgeKey, idOf } from '../keys/forge-key.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: Rate limit | Configured per key, in requests per minute; fixed …
test('every request with a valid key counts, whatever its response', async () => {
  const siteId = await service.addSite('fail:nothing');
  const cases: [number, string, string, CallOptions?][] = [
    [200, 'GET', 'vouchers.php?site_id=1'],
    [304, 'GET', 'vouchers.php?site_id=1', { headers: { 'if-none-match': '*' } }],
    [400, 'GET', 'vouchers.php?site_id=0'],
    [400, 'POST', 'vouchers.php', { body: '{' }],
    [404, 'POST', 'vouchers.php', { body: { site_id: 4711, name: 'x' } }],
    [405, 'PUT', 'vouchers.php'],
    [405, 'HEAD', 'sites.php'],
    [413, 'POST', 'vouchers.php', { body: 'x'.repeat(65_537) }],
    [502, 'POST', 'vouchers.php', { body: { site_id: siteId, name: 'x' } }],
  ];
  for (const [status, method, path, options] of cases) {
    const key = await service.issueKey('write', 1);
    assert.equal((await service.call(method, path, { ...options, key })).status, status);
    assert.equal((await service.call('GET', 'sites.php', { key })).status, 429, `${status} did not count`);
  }
  const read = await service.issueKey('read', 1);
  assert.equal((await service.call('POST', 'vouchers.php', { key: read, body: {} })).status, 403);
  assert.equal((await service.call('GET', 'sites.php', { key: read })).status, 429, '403 did not count');
});

test('a key with a known id but a wrong secret does not count against the limit of the valid key', async () => {
  const key = await service.issueKey('read', 1);
  for (let count = 0; count < 5; count++) {
    const forged = forgeKey(idOf(key), 'D'.repeat(32));
    assert.equal((await service.call('GET', 'sites.php', { key: forged })).status, 401);
  }
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
});

test('a limit of 0 means unlimited', async () => {
  const key = await service.issueKey('read', 0);
  for (let count = 0; count < 150; count++)
    assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
});

// Contract: Default and maximum rate limit values and any rate-limit response …
test('the maximum limit is 1,000,000 and the default is 0', async () => {
  const id = idOf(await service.issueKey('read', 1_000_000));
  for (const wrong of [1_000_001, -1])
    assert.throws(() => service.change('update api_keys set rate_limit = ? where id = ?', wrong, id));
  service.change(
    `insert into api_keys (id, name, scope, key_hash, created_at_ms) values ('default0', 'x', 'read', 'x', 0)`,
  );
  const rows = service.rows(`select rate_limit from api_keys where id = 'default0'`);
  assert.equal(rows[0]?.rate_limit, 0);
});

test('a changed limit takes effect with the next request, in the current window', async () => {
  const key = await service.issueKey('read', 2);
  const setLimit = (rateLimit: number) =>
    service.beside.keys.change(asKeyId(idOf(key)), { rateLimit }, { actor: TESTER, atMs: 1 });
  const statuses = async (count: number) => {
    const seen: number[] = [];
    for (let index = 0; index < count; index++)
      seen.push((await service.call('GET', 'sites.php', { key })).status);
    return seen;
  };

  assert.deepEqual(await statuses(3), [200, 200, 429]);
  await setLimit(4);
  assert.deepEqual(await statuses(3), [200, 200, 429]);
  await setLimit(1);
  const lowered = await service.call('GET', 'sites.php', { key });
  assert.equal(lowered.status, 429);
  assert.equal(lowered.headers.get('ratelimit'), '"key";r=0;t=60');
  await setLimit(0);
  assert.deepEqual(await statuses(3), [200, 200, 200]);
  await setLimit(5);
  assert.deepEqual(await statuses(2), [200, 429]);
});
