// Tests the loop of a channel: a steady inflow of events does not block its messages, and a recipient is never called
// twice at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../platform/log/log.ts';
import type { Channel } from './channel.ts';
import { startMessageLoop } from './message-loop.ts';

const ignore = () => {};
const log: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, isLevelEnabled: () => false };
const PACE = 0.001;

const channel: Channel = {
  name: 'test',
  kinds: [],
  keepsSequence: true,
  mayRepeat: true,
  prepare: async () => undefined,
  send: () => assert.fail('nothing is sent'),
};

test('due messages are sent while events keep arriving', async () => {
  const { promise: sent, resolve } = Promise.withResolvers<number>();
  const loop = startMessageLoop({
    // Every turn collects as many events as its limit allows.
    channel: { ...channel, collect: async (limit) => limit },
    queue: { listDue: async () => [7] },
    async sendTo(id) {
      resolve(id);
      return false;
    },
    log,
    pace: PACE,
  });
  const alive = setInterval(ignore, 1_000);
  assert.equal(await sent, 7);
  await loop.stop();
  clearInterval(alive);
});

test('a slow recipient is not called twice at the same time, and the others are still called', async () => {
  const [slow, quick] = [1, 2];
  const calls = new Map([
    [slow, 0],
    [quick, 0],
  ]);
  const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
  const { promise: response, resolve: respondSlowly } = Promise.withResolvers<boolean>();
  const loop = startMessageLoop({
    channel,
    queue: { listDue: async () => [slow, quick] },
    async sendTo(id) {
      calls.set(id, (calls.get(id) ?? 0) + 1);
      if (id === slow) return response;
      if (calls.get(quick) === 3) isEnough();
      return false;
    },
    log,
    pace: PACE,
  });
  const alive = setInterval(ignore, 1_000);
  await enough;
  assert.equal(calls.get(slow), 1);
  respondSlowly(false);
  await loop.stop();
  clearInterval(alive);
});

test('a recipient whose messages cannot be sent now is left alone for a while', async () => {
  const calls: string[] = [];
  const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
  const loop = startMessageLoop({
    channel,
    queue: { listDue: async () => [1, 2] },
    async sendTo(id) {
      calls.push(id === 1 ? 'blocked' : 'free');
      if (calls.filter((call) => call === 'blocked').length === 2) isEnough();
      return id === 1;
    },
    log,
    pace: 0.02,
  });
  const alive = setInterval(ignore, 1_000);
  await enough;
  await loop.stop();
  clearInterval(alive);
  assert.ok(calls.filter((call) => call === 'free').length > 2, 'the other recipient is called in between');
});
