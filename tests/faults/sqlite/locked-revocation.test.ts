// Another process holds the write lock of the SQLite file: a revocation cannot be recorded, gets a 503, and is recorded
// when it is repeated.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdWriteLock } from '../../support/disturb-records.ts';
import { startTestService } from '../../support/test-service.ts';

test('if the lock stays, a revocation gets a 503; repeated, it is recorded', async (context) => {
  const reallyNow = performance.now.bind(performance);
  let skippedMs = 0;
  context.mock.method(performance, 'now', () => reallyNow() + skippedMs);
  // A write of a background job would wait for the lock first, in real time.
  const service = await startTestService({ jobs: false });
  const { id } = await service.client.createVoucher({ site: 1, name: 'x' });
  const revoke = () => service.call('POST', `v1/vouchers/${id}/revoke`);

  const { release } = await holdWriteLock(service);
  const revocation = revoke();
  await sleep(100);
  skippedMs = 5_000;
  const refused = await revocation;
  assert.deepEqual([refused.status, refused.json.type], [503, '/api-docs/problems#database-unavailable']);
  release();
  assert.equal((await revoke()).status, 200);
  assert.equal((await service.client.getVoucher(id)).status, 'revoked');
  await service.stop();
});
