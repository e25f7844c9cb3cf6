// The window: 60 seconds, fixed, beginning with the key's first counted request.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const ask = (key: string) => service.call('GET', 'sites.php', { key });
const statusOf = async (key: string) => (await ask(key)).status;

test('request L passes, request L+1 is refused until 60 seconds after the first', async () => {
  const key = await service.issueKey('read', 3);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(30_000);
  assert.equal(await statusOf(key), 200);
  assert.equal(await statusOf(key), 200);
  assert.equal(await statusOf(key), 429);
  service.clock.advance(29_999);
  assert.equal(await statusOf(key), 429);
  service.clock.advance(1);
  assert.equal(await statusOf(key), 200);
});

test('the first request after sleeping Retry-After passes, at any moment of the window', async () => {
  for (const waitedMs of [0, 1, 499, 500, 999, 1_000, 1_001, 30_500, 58_999, 59_000, 59_001, 59_999]) {
    const key = await service.issueKey('read', 1);
    assert.equal(await statusOf(key), 200);
    service.clock.advance(waitedMs);
    const refused = await ask(key);
    assert.equal(refused.status, 429);
    service.clock.advance(Number(refused.headers.get('retry-after')) * 1000);
    assert.equal(await statusOf(key), 200, `after ${waitedMs} ms`);
  }
});

test('the window begins with the first request, not at the full minute', async () => {
  const key = await service.issueKey('read', 1);
  const intoMinuteMs = service.clock.nowMs() % 60_000;
  service.clock.advance(60_000 - intoMinuteMs - 1);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(2);
  assert.equal(await statusOf(key), 429, 'a new minute is no new window');
});

test('the next window begins with the next request, however late it comes', async () => {
  const key = await service.issueKey('read', 1);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(90_000);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(59_999);
  assert.equal(await statusOf(key), 429, 'counted from the second window’s own first request');
  service.clock.advance(1);
  assert.equal(await statusOf(key), 200);
});

test('refused requests are not counted and do not make the wait longer', async () => {
  const key = await service.issueKey('read', 2);
  for (let count = 0; count < 2; count++) assert.equal(await statusOf(key), 200);
  for (let second = 0; second < 60; second++) {
    assert.equal(await statusOf(key), 429);
    service.clock.advance(1_000);
  }
  const reply = await ask(key);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers.get('x-ratelimit-remaining'), '1');
});

test('each key has a window of its own', async () => {
  const [one, other] = [await service.issueKey('read', 1), await service.issueKey('read', 1)];
  assert.equal(await statusOf(one), 200);
  assert.equal(await statusOf(one), 429);
  assert.equal(await statusOf(other), 200);
});

test('a clock that is set back keeps nobody out for longer than a window', async () => {
  const key = await service.issueKey('read', 1);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(-24 * 60 * 60_000);
  await statusOf(key);
  const refused = await ask(key);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('retry-after'), '60');
  service.clock.advance(60_000);
  assert.equal(await statusOf(key), 200);
});
