// POST /vouchers.php → 422: the Idempotency-Key was already used with another body.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving } from '../support/post-vouchers-traces.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const create = (idempotencyKey: string, body: unknown, key = service.keyText) =>
  service.call('POST', 'vouchers.php', { key, headers: { 'idempotency-key': idempotencyKey }, body });

test('a used key with another body is refused with 422, and the first response is kept', async () => {
  const body = { site_id: 1, name: 'Original' };
  const first = await create('einmal', body);
  const others = [
    { ...body, name: 'Kopie' },
    { ...body, max_uses: 2 },
    { ...body, site_id: 2 },
  ];
  for (const other of others) {
    const reply = await leaving(service, {}, () => create('einmal', other));
    assert.equal(reply.status, 422);
    assert.equal(
      reply.text,
      '{"error":"idempotency_key_reused","message":"Idempotency-Key wurde bereits mit einem anderen Inhalt verwendet"}',
    );
  }
  assert.equal((await create('einmal', body)).text, first.text);
});

test('another API key can use the same Idempotency-Key with another body', async () => {
  await create('zweimal', { site_id: 1, name: 'Meins' });
  const otherKey = await service.issueKey('write');
  assert.equal((await create('zweimal', { site_id: 1, name: 'Deins' }, otherKey)).status, 201);
});

test('an invalid order is refused with 400 before the Idempotency-Key is checked', async () => {
  await create('dreimal', { site_id: 1, name: 'Gut' });
  assert.equal((await create('dreimal', { site_id: 1 })).status, 400);
});
