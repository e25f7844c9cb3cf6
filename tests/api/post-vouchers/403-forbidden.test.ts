// POST /vouchers.php → 403: a key with scope `read` can list but cannot create.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

let service: TestService;
let readKey: string;
before(async () => {
  service = await startTestService({ webhook: true });
  readKey = await service.issueKey('read');
});
after(() => service.stop());

const create = (body: unknown) => service.call('POST', 'vouchers.php', { key: readKey, body });

// Contract: Requires scope `write`.
// Contract: `write` is required by POST /vouchers.php.
// Contract: A key lacking the required scope is answered 403 (missing scope).
// Contract: 403 | | Key lacks required scope |
test('a key with scope read creates nothing, and the response names the missing scope', async () => {
  const reply = await leaving(service, {}, () => create({ site_id: 1, name: 'Verboten' }));
  assert.equal(reply.status, 403);
  assert.equal(reply.text, `{"error":"forbidden","message":"Schlüssel hat keinen 'write'-Scope"}`);
  assert.equal(
    reply.headers.get('www-authenticate'),
    'Bearer realm="gastpass", error="insufficient_scope", scope="write"',
  );
});

test('the scope is checked before the body: an empty or oversized body gets a 403 too', async () => {
  assert.equal((await create('')).status, 403);
  assert.equal((await create('{')).status, 403);
  assert.equal((await create('x'.repeat(200_000))).status, 403);
});

test('a change of scope takes effect with the next request', async () => {
  const key = await service.issueKey('read');
  const order = { key, body: { site_id: 1, name: 'Befördert' } };
  assert.equal((await service.call('POST', 'vouchers.php', order)).status, 403);

  const id = asKeyId(key.slice('gpk_'.length, 'gpk_'.length + 8));
  await service.beside.keys.change(id, { scope: 'write' }, { actor: TESTER, atMs: service.clock.nowMs() });
  const reply = await leaving(service, ONE_VOUCHER, () => service.call('POST', 'vouchers.php', order));
  assert.equal(reply.status, 201);
});
