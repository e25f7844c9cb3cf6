// Another connection holds the database's write lock: creations wait and reads continue. If the lock is held for too
// long, a creation gets a 503 and leaves no records.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdWriteLock } from '../support/disturb-records.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { assertInBalance } from './bookkeeping.ts';

const HOLD_MS = 2_000;

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const create = (name: string) => service.call('POST', 'vouchers.php', { body: { site_id: 1, name } });
const list = () => service.call('GET', 'vouchers.php?site_id=1');

test('a lock held for two seconds only delays creations; lists work in the meantime', async () => {
  const { release } = await holdWriteLock(service);
  let responded = 0;
  const creations = Array.from({ length: 20 }, async (_, index) => {
    const reply = await create(`Zimmer ${index}`);
    responded++;
    return reply.status;
  });
  const until = performance.now() + HOLD_MS;
  let lists = 0;
  while (performance.now() < until) {
    assert.equal((await list()).status, 200);
    lists++;
    await sleep(10);
  }
  assert.equal(responded, 0);
  assert.ok(lists > 0, 'no list got a response while the lock was held');
  release();
  assert.deepEqual(new Set(await Promise.all(creations)), new Set([201]));
  assert.equal((await list()).json.vouchers.length, 20);
  assertInBalance(service.config.dataDir);
});

test('if the lock stays, a creation gets a 503 and leaves no records, and /readyz reports 503', async (context) => {
  const reallyNow = performance.now.bind(performance);
  let skippedMs = 0;
  context.mock.method(performance, 'now', () => reallyNow() + skippedMs);

  const { release } = await holdWriteLock(service);
  const creation = create('zu spät');
  const readiness = service.call('GET', '/readyz');
  await sleep(100);
  skippedMs = 5_000;
  const refused = await creation;
  assert.deepEqual([refused.status, refused.json.error], [503, 'database_unavailable']);
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal((await readiness).status, 503);
  assert.equal((await list()).status, 200);
  assert.equal((await service.call('GET', '/healthz')).status, 200);
  release();

  assertInBalance(service.config.dataDir);
  assert.equal((await create('wieder da')).status, 201);
  skippedMs += 2_000;
  assert.equal((await service.call('GET', '/readyz')).status, 200);
  assertInBalance(service.config.dataDir);
});
