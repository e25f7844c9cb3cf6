// Scopes: a read key can list, a write key can list and create. A key without the required scope gets a 403.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

// Contract: `read` is required by GET /sites.php and GET /vouchers.php.
// Contract: A key lacking the required scope is answered 403 (missing scope).
// Contract: 403 | | Key lacks required scope |
// Contract: Error codes and body for 401, 403 and 429: not shown.
test('a read key can list sites and vouchers but cannot create vouchers', async () => {
  const key = await service.issueKey('read');
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key })).status, 200);

  const refused = await service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'x' } });
  assert.equal(refused.status, 403);
  assert.equal(refused.text, `{"error":"forbidden","message":"Schlüssel hat keinen 'write'-Scope"}`);
  assert.equal(
    refused.headers.get('www-authenticate'),
    'Bearer realm="gastpass", error="insufficient_scope", scope="write"',
  );
  assert.equal(refused.headers.get('cache-control'), 'no-store');
  assert.deepEqual(service.rows('select id from vouchers'), []);
});

// Contract: Whether scope `write` also permits read operations: not shown.
test('a write key can create vouchers, and scope write includes scope read', async () => {
  const key = await service.issueKey('write');
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key })).status, 200);
  const created = await service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'x' } });
  assert.equal(created.status, 201);
});

// Contract: Each key has a scope (`read` or `write`) and a per-minute rate …
// Contract: scope | `read` or `write`
// Contract: Each key has exactly one scope, `read` or `write`:
test('a key has exactly one scope, read or write; the database refuses any other value', async () => {
  const key = await service.issueKey('read');
  for (const scope of ['admin', '', 'read write'])
    assert.throws(() =>
      service.change('update api_keys set scope = ? where id = ?', scope, key.slice(4, 12)),
    );
});

test('the scope is checked before the input: a read key gets a 403 for any body', async () => {
  const key = await service.issueKey('read');
  for (const body of ['', '{', { site_id: 0 }, { site_id: 4711, name: 'x' }, 'x'.repeat(70_000)])
    assert.equal((await service.call('POST', 'vouchers.php', { key, body })).status, 403);
});
