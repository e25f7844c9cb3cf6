// POST /vouchers.php: of several faults in a request, only the first is reported, in the order that the contract
// specifies: key, rate limit, method, scope, input, site, controller. Each step of the test fixes one fault.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

// Contract: Processing order:
// Contract: Authentication, rate limit, scope check.
// Contract: The rate limit is enforced per key before the endpoint logic …
test('only the first fault is reported: key, rate limit, method, scope, input, site, controller', async () => {
  const key = await service.issueKey('read', 1);
  const id = asKeyId(key.slice('gpk_'.length, 'gpk_'.length + 8));
  const audit = { actor: TESTER, atMs: 0 };
  const broken = await service.addSite('fail:nothing', 'Kaputt');
  await service.call('GET', 'sites.php', { key });

  const send = (method: string, body: unknown, sentKey: string | null = key) =>
    leaving(service, {}, () => service.call(method, 'vouchers.php', { key: sentKey, body }));

  assert.equal((await send('PUT', '{', null)).status, 401);
  assert.equal((await send('PUT', '{')).status, 429);
  await service.beside.keys.change(id, { rateLimit: 0 }, audit);
  assert.equal((await send('PUT', '{')).status, 405);
  assert.equal((await send('POST', '{')).status, 403);
  await service.beside.keys.change(id, { scope: 'write' }, audit);
  assert.equal((await send('POST', 'x'.repeat(70_000))).status, 413);
  assert.equal((await send('POST', '{')).json.message, 'site_id erforderlich');
  assert.equal((await send('POST', { site_id: 999 })).json.message, 'name erforderlich');
  assert.equal((await send('POST', { site_id: 999, name: 'x', max_uses: 1e10 })).status, 400);
  assert.equal((await send('POST', { site_id: 999, name: 'x' })).status, 404);

  const body = { site_id: broken, name: 'x' };
  const upstream = await leaving(service, { intents: 1 }, () =>
    service.call('POST', 'vouchers.php', { key, body }),
  );
  assert.equal(upstream.status, 502);
  service.change("update sites set controller_site = 'default' where id = ?", broken);
  const made = await leaving(service, ONE_VOUCHER, () => service.call('POST', 'vouchers.php', { key, body }));
  assert.equal(made.status, 201);
});
