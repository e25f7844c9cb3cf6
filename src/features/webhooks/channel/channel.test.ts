// Tests the channel of webhooks: a webhook that is switched off gets no message, and no message is given up for it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMessageId, asWebhookId } from '../../../kernel/ids.ts';
import type { Message } from '../../../kernel/messages/message.ts';
import { systemClock } from '../../../platform/time/clock.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { Webhook } from '../webhook.ts';
import { webhookChannel } from './channel.ts';

const message: Message = {
  id: asMessageId(1),
  recipientId: 3,
  eventId: 'e',
  kind: 'voucher.created',
  payload: { voucherCount: 1, siteName: 'Haus A', source: 'API: Theke' },
  sealedPayload: undefined,
  occurredAtMs: 1,
  state: 'waiting',
  attempts: 0,
  failures: 0,
  mergedInto: null,
  voucherId: null,
};
const on: Webhook = {
  id: asWebhookId(3),
  name: 'Kasse',
  events: ['voucher.created'],
  // Refused without a request.
  url: 'https://127.0.0.1/',
  format: 'chat',
  platform: null,
  secrets: null,
  active: true,
  offBecause: null,
  failures: 0,
  createdAtMs: 1,
};

let found: Webhook | undefined;
const channel = webhookChannel.open(
  {
    clock: systemClock,
    webhooks: { findTarget: async () => found },
    deliveries: { fanOut: async () => 0 },
    webhookTargets: 'public',
  },
  { pace: 1 },
);
const prepare = () => channel.prepare(message, async () => []);
const send = async () => (await channel.send(message, new AbortController().signal, async () => true)).result;

test('a message to a webhook that is switched off stays queued', async () => {
  found = { ...on, active: false };
  assert.equal(await prepare(), undefined);
});

test('a message is not given up because its webhook is switched off just before the request', async () => {
  found = on;
  assert.ok(await prepare());
  found = { ...on, active: false };
  assert.equal(await send(), 'later');
});

test('a message is not given up because a newer release changes its webhook just before the request', async () => {
  found = { ...on, format: UNKNOWN };
  assert.equal(await prepare(), undefined);
  assert.equal(await send(), 'later');
});
