// Tests the delivery loop: a steady inflow of notifications does not block deliveries, and a webhook never gets two
// calls at the same time.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asWebhookId, type WebhookId } from '../domain/ids.ts';
import type { Log } from '../domain/log.ts';
import { startDeliveryLoop } from './deliver.ts';

const ignore = () => {};
const log: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, isLevelEnabled: () => false };
const PACE = 0.001;

test('due deliveries are made while notifications keep arriving', async () => {
  const { promise: delivered, resolve } = Promise.withResolvers<WebhookId>();
  const loop = startDeliveryLoop({
    // Every turn fans out as many notifications as its limit allows.
    deliveries: { fanOut: async (limit) => limit, listDue: async () => [asWebhookId(7)] },
    deliverTo: async (id) => resolve(id),
    log,
    pace: PACE,
  });
  const alive = setInterval(ignore, 1_000);
  assert.equal(await delivered, 7);
  await loop.stop();
  clearInterval(alive);
});

test('a slow webhook is not called twice at the same time, and the others are still called', async () => {
  const [slow, quick] = [asWebhookId(1), asWebhookId(2)];
  const calls = new Map([
    [slow, 0],
    [quick, 0],
  ]);
  const { promise: enough, resolve: isEnough } = Promise.withResolvers<void>();
  const { promise: answer, resolve: answerSlow } = Promise.withResolvers<void>();
  const loop = startDeliveryLoop({
    deliveries: { fanOut: async () => 0, listDue: async () => [slow, quick] },
    async deliverTo(id) {
      calls.set(id, (calls.get(id) ?? 0) + 1);
      if (id === slow) return answer;
      if (calls.get(quick) === 3) isEnough();
    },
    log,
    pace: PACE,
  });
  const alive = setInterval(ignore, 1_000);
  await enough;
  assert.equal(calls.get(slow), 1);
  answerSlow();
  await loop.stop();
  clearInterval(alive);
});
