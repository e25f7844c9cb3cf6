// POST /vouchers.php → 429: a key over its limit creates nothing. The window is the same for all requests with a key;
// these tests check it with creations and in relation to the other checks.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { leaving, ONE_VOUCHER } from '../support/post-vouchers-traces.ts';

const BODY = '{"error":"rate_limited","message":"Rate-Limit überschritten. Bitte später erneut versuchen."}';

let service: TestService;
before(async () => {
  service = await startTestService({ webhook: true });
});
after(() => service.stop());

const create = (key: string, body: unknown = { site_id: 1, name: 'Eilig' }) =>
  service.call('POST', 'vouchers.php', { key, body });

// Contract: 429 | | Key's rate limit exceeded |
test('a request over the limit creates nothing, and Retry-After gives the time to wait', async () => {
  const key = await service.issueKey('write', 2);
  assert.equal((await create(key)).headers.get('ratelimit'), '"key";r=1;t=60');
  service.clock.advance(20_500);
  assert.equal((await create(key)).headers.get('x-ratelimit-remaining'), '0');

  const refused = await leaving(service, {}, () => create(key));
  assert.equal(refused.status, 429);
  assert.equal(refused.text, BODY);
  assert.equal(refused.headers.get('retry-after'), '40');
  assert.equal(refused.headers.get('ratelimit-policy'), '"key";q=2;w=60');
  assert.equal(refused.headers.get('ratelimit'), '"key";r=0;t=40');
  assert.equal(refused.headers.get('x-ratelimit-limit'), '2');
});

test('the first request after Retry-After passes, however many requests were refused', async () => {
  const key = await service.issueKey('write', 1);
  assert.equal((await create(key)).status, 201);
  service.clock.advance(59_999);
  for (let turn = 0; turn < 5; turn++) assert.equal((await create(key)).status, 429);
  service.clock.advance(1_000);
  const reply = await leaving(service, ONE_VOUCHER, () => create(key));
  assert.equal(reply.status, 201);
});

test('every request counts, whatever the status of its response', async () => {
  const deeds: [status: number, deed: (key: string) => ReturnType<typeof create>][] = [
    [400, (key) => create(key, '{')],
    [404, (key) => create(key, { site_id: 999, name: 'x' })],
    [405, (key) => service.call('PUT', 'vouchers.php', { key })],
    [413, (key) => create(key, 'x'.repeat(70_000))],
  ];
  for (const [status, deed] of deeds) {
    const key = await service.issueKey('write', 1);
    const first = await deed(key);
    assert.equal(first.status, status);
    assert.equal(first.headers.get('x-ratelimit-remaining'), '0');
    assert.equal((await create(key)).status, 429);
  }
  const readKey = await service.issueKey('read', 1);
  assert.equal((await create(readKey)).status, 403);
  assert.equal((await create(readKey)).status, 429);
});

test('a replayed response counts too, and the limit is checked before the replay', async () => {
  const key = await service.issueKey('write', 2);
  const options = { key, headers: { 'idempotency-key': 'eilig' }, body: { site_id: 1, name: 'Eilig' } };
  const statuses = [];
  for (let turn = 0; turn < 3; turn++)
    statuses.push((await service.call('POST', 'vouchers.php', options)).status);
  assert.deepEqual(statuses, [201, 201, 429]);
});

test('of many concurrent requests, exactly as many pass as the limit allows', async () => {
  const key = await service.issueKey('write', 25);
  const many = { vouchers: 25, upstream: 25, notifications: 25, auditEntries: 25 };
  const replies = await leaving(service, many, () =>
    Promise.all(Array.from({ length: 60 }, () => create(key))),
  );
  assert.equal(replies.filter(({ status }) => status === 201).length, 25);
  assert.equal(replies.filter(({ status }) => status === 429).length, 35);
});

test('the limit of one key does not affect another key', async () => {
  const [slow, fast] = [await service.issueKey('write', 1), await service.issueKey('write', 0)];
  await create(slow);
  assert.equal((await create(slow)).status, 429);
  const free = await create(fast);
  assert.equal(free.status, 201);
  assert.equal(free.headers.get('ratelimit'), null);
});
