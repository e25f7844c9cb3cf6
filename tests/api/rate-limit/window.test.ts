// The rate limit window: fixed, 60 seconds long, starting with the key's first counted request.

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

// Contract: rate_limit | Maximum accepted requests per one-minute window …
// Contract: Rate limit | Configured per key, in requests per minute; fixed …
test('with limit L, request L passes and request L+1 is refused until 60 seconds after the first', async () => {
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

test('a request passes after waiting for Retry-After, whenever in the window the 429 was sent', async () => {
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

test('the window starts with the first request, not at a full minute', async () => {
  const key = await service.issueKey('read', 1);
  const intoMinuteMs = service.clock.nowMs() % 60_000;
  service.clock.advance(60_000 - intoMinuteMs - 1);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(2);
  assert.equal(await statusOf(key), 429, 'a new minute must not start a new window');
});

// Contract: Rate limit | Configured per key, in requests per minute; fixed …
test('the next window starts with the next request, however late it arrives', async () => {
  const key = await service.issueKey('read', 1);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(90_000);
  assert.equal(await statusOf(key), 200);
  service.clock.advance(59_999);
  assert.equal(await statusOf(key), 429, 'the second window starts with its own first request');
  service.clock.advance(1);
  assert.equal(await statusOf(key), 200);
});

test('refused requests are not counted and do not extend the wait', async () => {
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

// Contract: Each key has a scope (`read` or `write`) and a per-minute rate …
// Contract: Rate limit | Configured per key, in requests per minute; fixed …
test('each key has its own window', async () => {
  const [one, other] = [await service.issueKey('read', 1), await service.issueKey('read', 1)];
  assert.equal(await statusOf(one), 200);
  assert.equal(await statusOf(one), 429);
  assert.equal(await statusOf(other), 200);
});

test('a key is not blocked for longer than one window after the clock is set back', async () => {
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
