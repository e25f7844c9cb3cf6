// Tests that a message to a chat counts the vouchers of all waiting deliveries for the same site and source, and that
// each of them is merged once and never lost, on every engine.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { insertDeliveries } from '../../src/features/webhooks/delivery-queries.ts';
import type { Notification } from '../../src/features/webhooks/notification.ts';
import type { DeliveryId, WebhookId } from '../../src/kernel/ids.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addWebhook,
  badAttempt,
  delivered,
  failedFor,
  givenUp,
  goodAttempt,
  NOW_MS,
  sampleNotification,
} from './samples.ts';
import { makeWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

const audit = { actor: actorOf('CLI: ada'), atMs: NOW_MS };

onEveryEngine('merged deliveries', (database) => {
  let deliveries: WebhookQueue;
  let chat: WebhookId;
  beforeEach(async () => {
    deliveries = makeWebhookQueue(database());
    await database().write((transaction) => transaction.deleteFrom('webhooks').execute());
    chat = await addWebhook(database(), { format: 'chat', secrets: null });
  });

  const line = (id: WebhookId, ...notifications: Notification[]) =>
    database().write((transaction) => insertDeliveries(transaction, [id], notifications));
  const lineUp = (id: WebhookId, ...events: string[]) =>
    line(id, ...events.map((event) => sampleNotification(event)));
  async function next(id = chat) {
    const delivery = await deliveries.next(id);
    assert.ok(delivery, 'no delivery is due');
    return delivery;
  }
  /** The event and the vouchers of each message, until the queue is empty. */
  async function sendAll(id = chat): Promise<[string, number][]> {
    const sent: [string, number][] = [];
    for (let turn = await deliveries.next(id); turn; turn = await deliveries.next(id)) {
      sent.push([turn.notification.eventId, turn.notification.voucherCount]);
      await deliveries.noteAttempt(turn, goodAttempt, delivered);
    }
    return sent;
  }
  const log = async () => (await deliveries.log({ limit: 50 })).reverse();
  const statesOf = async () => (await log()).map(({ state }) => state);
  async function byEvent(event: string) {
    const found = (await log()).find(({ notification }) => notification.eventId === event);
    assert.ok(found, event);
    return found;
  }

  /** A chat is due a second after a resend; the tests do not wait for it. */
  async function resend(id: DeliveryId): Promise<void> {
    assert.equal(await deliveries.resend(id, audit), true);
    await database().write((transaction) =>
      transaction.updateTable('webhooks').set({ due_at_ms: 0 }).execute(),
    );
  }

  test('one message to a chat counts all waiting vouchers of its site and source', async () => {
    const [a, b] = [{ siteName: 'Haus A' }, { siteName: 'Haus B' }];
    const incident = { kind: 'webhook.failing', webhookName: 'x', failures: 5, isOff: false } as const;
    await line(
      chat,
      sampleNotification('a1', a),
      sampleNotification('b1', b),
      { ...sampleNotification('failing', { siteName: '', source: '' }), ...incident, webhookId: chat },
      sampleNotification('a2', { ...a, voucherCount: 7 }),
      sampleNotification('other source', { ...a, source: 'Web: Bea' }),
      sampleNotification('b2', b),
      sampleNotification('a3', a),
    );
    assert.deepEqual(await sendAll(), [
      ['a1', 9],
      ['b1', 2],
      ['failing', 1],
      ['other source', 1],
    ]);
    const { id } = await byEvent('a1');
    for (const [event, voucherCount] of [
      ['a2', 7],
      ['a3', 1],
    ] as const)
      assert.partialDeepStrictEqual(await byEvent(event), {
        state: 'merged',
        mergedInto: id,
        attempts: [],
        notification: { voucherCount },
      });
    assert.partialDeepStrictEqual(await byEvent('a1'), {
      state: 'delivered',
      mergedInto: null,
      notification: { voucherCount: 1 },
    });
  });

  test('deliveries to a program and to another chat are never merged', async () => {
    const program = await addWebhook(database());
    const otherChat = await addWebhook(database(), { format: 'chat', secrets: null });
    await lineUp(program, 'one', 'two', 'three');
    await lineUp(otherChat, 'one', 'two');
    await lineUp(chat, 'one');
    assert.deepEqual(await sendAll(program), [
      ['one', 1],
      ['two', 1],
      ['three', 1],
    ]);
    assert.deepEqual(await sendAll(), [['one', 1]]);
    assert.deepEqual(await sendAll(otherChat), [['one', 2]]);
  });

  test('an attempt that fails, is given up or is never recorded merges nothing', async () => {
    await lineUp(chat, 'one', 'two', 'three');
    // Killed before the outcome was recorded.
    assert.equal((await next()).notification.voucherCount, 3);
    assert.deepEqual(await statesOf(), ['waiting', 'waiting', 'waiting']);
    await deliveries.noteAttempt(await next(), badAttempt, failedFor(0));
    assert.deepEqual(await statesOf(), ['waiting', 'waiting', 'waiting']);
    await lineUp(chat, 'four');
    assert.equal((await next()).notification.voucherCount, 4, 'the next attempt counts new vouchers too');
    await deliveries.noteAttempt(await next(), badAttempt, givenUp);
    assert.deepEqual(await statesOf(), ['given-up', 'waiting', 'waiting', 'waiting']);
    assert.deepEqual(await sendAll(), [['two', 3]]);
  });

  test('a notification that arrives during the attempt gets a message of its own', async () => {
    await lineUp(chat, 'one', 'two');
    const running = await next();
    await lineUp(chat, 'three');
    await deliveries.noteAttempt(running, goodAttempt, delivered);
    assert.deepEqual(await sendAll(), [['three', 1]]);
  });

  test('the late result of a slow instance merges nothing', async () => {
    await lineUp(chat, 'one', 'two');
    const seenBySlow = await next();
    await deliveries.noteAttempt(await next(), badAttempt, givenUp);
    await deliveries.noteAttempt(seenBySlow, goodAttempt, delivered);
    assert.deepEqual(await statesOf(), ['given-up', 'waiting']);
  });

  test('a merged delivery that is sent again gets a message of its own and is not merged again', async () => {
    await lineUp(chat, 'one', 'two', 'three');
    await sendAll();
    await resend((await byEvent('two')).id);
    assert.partialDeepStrictEqual(await byEvent('two'), { state: 'waiting', mergedInto: null });
    await lineUp(chat, 'four', 'five');
    assert.deepEqual(await sendAll(), [
      ['two', 1],
      ['four', 2],
    ]);
    assert.partialDeepStrictEqual(await byEvent('two'), { state: 'delivered', mergedInto: null });

    for (const event of ['one', 'two']) await resend((await byEvent(event)).id);
    assert.deepEqual(await sendAll(), [
      ['one', 1],
      ['two', 1],
    ]);
  });

  test('a delivery that was tried before is not merged: its message may have arrived', async () => {
    await lineUp(chat, 'one', 'two', 'three');
    const one = await next();
    await deliveries.noteAttempt(one, badAttempt, givenUp);
    await deliveries.noteAttempt(await next(), badAttempt, failedFor(0));
    await resend(one.id);
    assert.deepEqual(await sendAll(), [
      ['one', 2],
      ['two', 1],
    ]);
  });

  test('a long queue is sent in few messages that count every voucher once', async () => {
    const events = Array.from({ length: 2_500 }, (_, index) => `event ${index}`);
    for (let from = 0; from < events.length; from += 500)
      await lineUp(chat, ...events.slice(from, from + 500));
    const sent = await sendAll();
    assert.deepEqual(
      sent.map(([, count]) => count),
      [1_001, 1_001, 498],
    );
  });
});
