// The rate limit headers: every response to a key with a limit has them, and no other response does.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type CallOptions,
  type Reply,
  startTestService,
  type TestService,
} from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const NAMES = [
  'ratelimit-policy',
  'ratelimit',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'retry-after',
] as const;

function limitHeaders({ headers }: Reply): (string | null)[] {
  return NAMES.map((name) => headers.get(name));
}

// Contract: Default and maximum rate limit values and any rate-limit response …
test('the headers contain the limit, the window, the remaining requests and the end of the window', async () => {
  const key = await service.issueKey('read', 3);
  const startedAtS = service.clock.nowMs() / 1000;
  const ask = () => service.call('GET', 'sites.php', { key });
  const reset = String(startedAtS + 60);

  assert.deepEqual(limitHeaders(await ask()), ['"key";q=3;w=60', '"key";r=2;t=60', '3', '2', reset, null]);
  service.clock.advance(10_000);
  assert.deepEqual(limitHeaders(await ask()), ['"key";q=3;w=60', '"key";r=1;t=50', '3', '1', reset, null]);
  service.clock.advance(49_001);
  assert.deepEqual(limitHeaders(await ask()), ['"key";q=3;w=60', '"key";r=0;t=1', '3', '0', reset, null]);
});

// Contract: Default and maximum rate limit values and any rate-limit response …
test('a 429 has 0 remaining requests, and Retry-After gives the exact seconds to wait, at least 1', async () => {
  const key = await service.issueKey('read', 1);
  const reset = String(Math.ceil(service.clock.nowMs() / 1000 + 60));
  const ask = () => service.call('GET', 'sites.php', { key });
  await ask();

  assert.deepEqual(limitHeaders(await ask()), ['"key";q=1;w=60', '"key";r=0;t=60', '1', '0', reset, '60']);
  service.clock.advance(59_999);
  assert.deepEqual(limitHeaders(await ask()), ['"key";q=1;w=60', '"key";r=0;t=1', '1', '0', reset, '1']);
});

test('X-RateLimit-Reset is the end of the window, rounded up to a whole second', async () => {
  const key = await service.issueKey('read', 1);
  service.clock.advance(400);
  const endsAtMs = service.clock.nowMs() + 60_000;
  const reply = await service.call('GET', 'sites.php', { key });
  assert.equal(Number(reply.headers.get('x-ratelimit-reset')), Math.ceil(endsAtMs / 1000));
  service.clock.advance(600);
});

test('every response to a key with a limit has the headers, whatever its status', async () => {
  const [write, read] = [await service.issueKey('write', 1_000), await service.issueKey('read', 1_000)];
  const inactive = await service.addSite();
  service.change('update sites set active = 0 where id = ?', inactive);
  const [nothing, refusing, breaking] = [
    await service.addSite('fail:nothing'),
    await service.addSite('fail:refuse'),
    await service.addSite('fail:throw'),
  ];
  const order = (siteId: number) => ({ body: { site_id: siteId, name: 'x' } });
  const cases: [number, string, string, CallOptions?][] = [
    [200, 'GET', 'sites.php'],
    [200, 'GET', 'vouchers.php?site_id=1'],
    [201, 'POST', 'vouchers.php', order(1)],
    [304, 'GET', 'vouchers.php?site_id=1', { headers: { 'if-none-match': '*' } }],
    [400, 'GET', 'vouchers.php'],
    [403, 'POST', 'vouchers.php', { key: read }],
    [404, 'POST', 'vouchers.php', order(inactive)],
    [405, 'DELETE', 'vouchers.php'],
    [413, 'POST', 'vouchers.php', { body: 'x'.repeat(65_537) }],
    [500, 'POST', 'vouchers.php', order(refusing)],
    [500, 'POST', 'vouchers.php', order(breaking)],
    [502, 'POST', 'vouchers.php', order(nothing)],
  ];
  for (const [status, method, path, options] of cases) {
    const reply = await service.call(method, path, { key: write, ...options });
    assert.equal(reply.status, status, path);
    const [policy, ...others] = limitHeaders(reply);
    assert.equal(policy, '"key";q=1000;w=60', `${method} ${path} ${status}`);
    assert.ok(others.slice(0, 4).every((value) => value !== null));
  }
});

test('a response to an unlimited key, a wrong key or no key has no limit headers', async () => {
  const unlimited = await service.issueKey('read', 0);
  const none = NAMES.map(() => null);
  assert.deepEqual(limitHeaders(await service.call('GET', 'sites.php', { key: unlimited })), none);
  assert.deepEqual(limitHeaders(await service.call('GET', 'sites.php', { key: null })), none);
  assert.deepEqual(limitHeaders(await service.call('GET', 'sites.php', { key: 'wrong' })), none);
});
