// Tests the queries for deliveries on every engine: the queue of each webhook, the effects of a delivery attempt, the
// log, and the deletion of old deliveries and of old reports of bulk revocations.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { insertDeliveries } from '../../src/features/webhooks/delivery-queries.ts';
import { makeWebhookStore } from '../../src/features/webhooks/webhook-store.ts';
import { asBulkRevocationId, asDeliveryId, asWebhookId, type WebhookId } from '../../src/kernel/ids.ts';
import type { Attempt, Verdict } from '../../src/kernel/messages/message.ts';
import {
  makeLoginThrottleStore,
  makeOneTimeFormStore,
  makeWebSessionStore,
} from '../../src/kernel/sessions/session-store.ts';
import { makePendingLoginStore } from '../../src/kernel/users/second-factor-store.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import { makeBulkRevocationStore } from '../../src/kernel/vouchers/storage/bulk-revocation-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makeCleanUpTurn } from '../../src/kernel/vouchers/turns/clean-up.ts';
import { makeReadBacklogs } from '../../src/platform/database/backlog-queries.ts';
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
  seal,
} from './samples.ts';
import { makeWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

const LONG_MS = 60_000;
const DAY_MS = 24 * 60 * 60_000;
const audit = { actor: actorOf('CLI: ada'), atMs: NOW_MS };

onEveryEngine('messages', (database) => {
  let deliveries: WebhookQueue;
  let hook: WebhookId;
  beforeEach(async () => {
    deliveries = makeWebhookQueue(database());
    await database().write(async (transaction) => {
      for (const table of ['message_attempts', 'messages', 'webhooks'] as const)
        await transaction.deleteFrom(table).execute();
    });
    hook = await addWebhook(database());
  });

  const line = (id: WebhookId, ...events: string[]) =>
    database().write((transaction) =>
      insertDeliveries(
        transaction,
        [id],
        events.map((event) => sampleNotification(event)),
      ),
    );
  const countWaiting = async () => (await makeReadBacklogs(database())()).deliveries.count;
  const nextEvent = async (id = hook) => (await deliveries.next(id))?.notification.eventId;
  async function tried(made: Attempt, verdict: Verdict, id = hook) {
    const delivery = await deliveries.next(id);
    assert.ok(delivery, 'no delivery is due');
    await deliveries.noteAttempt(delivery, made, verdict);
    return delivery;
  }
  const setOff = (active: boolean) => makeWebhookStore(database(), seal).change(hook, { active }, audit);
  const log = (input: { webhookId?: WebhookId; limit?: number } = {}) =>
    deliveries.log({ limit: 50, ...input });

  test('a pause that ends while the queue is read does not change the order', async () => {
    const events = Array.from({ length: 5_000 }, (_, index) => `event ${index}`);
    for (let from = 0; from < events.length; from += 500) await line(hook, ...events.slice(from, from + 500));
    await tried(badAttempt, failedFor(200));
    let next: string | undefined;
    while (next === undefined) next = await nextEvent();
    assert.equal(next, 'event 0');
  });

  test('the next delivery is the oldest waiting one, with its webhook and its notification', async () => {
    const names = { siteName: 'Haus "Ä" 😀', source: 'Web: Bea', voucherCount: 7 };
    const first = sampleNotification('one', names);
    await database().write((transaction) =>
      insertDeliveries(transaction, [hook], [first, sampleNotification('two')]),
    );
    const next = await deliveries.next(hook);
    assert.partialDeepStrictEqual(next, {
      notification: first,
      attempts: 0,
      webhook: { id: hook, failures: 0 },
    });
    assert.equal(next?.webhook.url, 'https://hooks.example.org/T0GEHEIM/B0GEHEIM');
    assert.equal(await countWaiting(), 2);
  });

  test('a webhook is due while a delivery waits, the webhook is active and its pause is over', async () => {
    assert.deepEqual([await deliveries.listDue(), await nextEvent()], [[], undefined]);
    await line(hook, 'one');
    assert.deepEqual([await deliveries.listDue(), await nextEvent()], [[hook], 'one']);
    await setOff(false);
    assert.deepEqual([await deliveries.listDue(), await nextEvent()], [[], undefined]);
    await setOff(true);
    await tried(badAttempt, failedFor(LONG_MS));
    assert.deepEqual([await deliveries.listDue(), await nextEvent()], [[], undefined]);
    await setOff(true);
    assert.deepEqual([await deliveries.listDue(), await nextEvent()], [[hook], 'one']);
  });

  test('a failure pauses the whole queue of its webhook, and no other queue', async () => {
    const other = await addWebhook(database());
    await line(hook, 'one', 'two');
    await line(other, 'one', 'two');
    await tried(badAttempt, failedFor(LONG_MS));
    assert.deepEqual([await nextEvent(hook), await nextEvent(other)], [undefined, 'one']);
    assert.deepEqual(await deliveries.listDue(), [other]);
  });

  test('delivery attempts and consecutive failures are counted until a delivery succeeds', async () => {
    await line(hook, 'one', 'two');
    await tried(badAttempt, failedFor(0));
    await tried(badAttempt, failedFor(0));
    const third = await deliveries.next(hook);
    assert.partialDeepStrictEqual(third, { attempts: 2, webhook: { failures: 2 } });
    await tried(goodAttempt, delivered);
    const next = await deliveries.next(hook);
    assert.partialDeepStrictEqual(next, {
      notification: { eventId: 'two' },
      attempts: 0,
      webhook: { failures: 0 },
    });
  });

  test('after a delivery is given up, the next one follows and the failures keep counting', async () => {
    await line(hook, 'one', 'two');
    await tried(badAttempt, givenUp);
    assert.partialDeepStrictEqual(await deliveries.next(hook), {
      notification: { eventId: 'two' },
      webhook: { failures: 1 },
    });
    assert.equal(await countWaiting(), 1);
  });

  test('a verdict that deactivates the webhook stores the reason and keeps the waiting deliveries', async () => {
    await line(hook, 'one', 'two');
    await tried(badAttempt, { ...givenUp, offBecause: 'gone' });
    const webhook = await makeWebhookStore(database(), seal).find(hook);
    assert.partialDeepStrictEqual(webhook, { active: false, offBecause: 'gone' });
    assert.deepEqual([await nextEvent(), await countWaiting()], [undefined, 0]);
    await setOff(true);
    assert.deepEqual([await nextEvent(), await countWaiting()], ['two', 1]);
  });

  test('the log contains every attempt of the newest deliveries and the time of the next attempt', async () => {
    const other = await addWebhook(database());
    await line(hook, 'one', 'two', 'three');
    await line(other, 'one');
    await tried(badAttempt, failedFor(0));
    await tried({ ...goodAttempt, durationMs: 12.6 }, delivered);
    await tried({ ...badAttempt, status: null, error: 'no answer', response: null }, failedFor(LONG_MS));
    const [ofOther, three, two, one, ...more] = await log();
    assert.deepEqual(more, []);
    assert.partialDeepStrictEqual(ofOther, { webhookId: other, state: 'waiting', attempts: [] });
    assert.partialDeepStrictEqual(three, { state: 'waiting', attempts: [], nextAttemptAtMs: null });
    assert.partialDeepStrictEqual(two, {
      webhookId: hook,
      notification: sampleNotification('two'),
      state: 'waiting',
      attempts: [{ durationMs: 12, status: null, error: 'no answer', response: null }],
    });
    const [triedAtMs, againAtMs] = [two?.attempts[0]?.atMs ?? 0, two?.nextAttemptAtMs ?? 0];
    assert.ok(againAtMs >= triedAtMs + LONG_MS && againAtMs < triedAtMs + 2 * LONG_MS);
    assert.equal(one?.nextAttemptAtMs, null);
    assert.deepEqual(
      one?.attempts.map(({ atMs, ...made }) => made),
      [
        { durationMs: 12, status: 500, error: 'answered 500', response: 'out of order' },
        { durationMs: 13, status: 204, error: null, response: null },
      ],
    );
  });

  test('the log can be filtered by webhook, by delivery and by age, and limited', async () => {
    const other = await addWebhook(database());
    await line(hook, 'one', 'two');
    await line(other, 'three');
    const events = async (input: Parameters<WebhookQueue['log']>[0]) =>
      (await deliveries.log(input)).map(({ notification }) => notification.eventId);
    assert.deepEqual(await events({ limit: 50, webhookId: hook }), ['two', 'one']);
    assert.deepEqual(await events({ limit: 1 }), ['three']);
    const [, two] = await log();
    assert.ok(two);
    assert.deepEqual(await events({ limit: 50, deliveryId: two.id }), ['two']);
    assert.deepEqual(await events({ limit: 50, beforeId: two.id }), ['one']);
    assert.deepEqual(await events({ limit: 50, deliveryId: two.id, webhookId: other }), []);
    assert.deepEqual(await events({ limit: 50, webhookId: asWebhookId(2_147_483_647) }), []);
  });

  test('the waiting deliveries leave out webhooks that are switched off', async () => {
    const waiting = async () => (await makeReadBacklogs(database())()).deliveries;
    await line(hook, 'one');
    assert.ok((await waiting()).oldestMs > 0);
    await setOff(false);
    assert.deepEqual(await waiting(), { count: 0, oldestMs: 0 });
  });

  test('a deactivated webhook has no next attempt', async () => {
    await line(hook, 'one');
    await setOff(false);
    assert.equal((await log())[0]?.nextAttemptAtMs, null);
  });

  test('a delivery that was delivered, given up or is waiting can be resent and is due at once', async () => {
    await line(hook, 'one', 'two', 'three', 'four');
    const one = await tried(goodAttempt, delivered);
    const two = await tried(badAttempt, givenUp);
    const three = await tried(badAttempt, failedFor(LONG_MS));
    assert.equal(await nextEvent(), undefined);
    for (const { id, event } of [
      { id: three.id, event: 'three' },
      { id: two.id, event: 'two' },
      { id: one.id, event: 'one' },
    ]) {
      assert.equal(await deliveries.resend(id, audit), true);
      assert.partialDeepStrictEqual(await deliveries.next(hook), {
        notification: { eventId: event },
        attempts: 0,
      });
    }
    await database().write((transaction) =>
      transaction
        .updateTable('messages')
        .set({ due_at_ms: Date.now() + LONG_MS })
        .execute(),
    );
    assert.equal(await nextEvent(), undefined, 'its own pause is not over');
    await deliveries.resend(one.id, audit);
    assert.equal(await nextEvent(), 'one');
    assert.equal((await log()).at(-1)?.attempts.length, 1, 'earlier attempts stay in the log');
    assert.equal(await deliveries.resend(asDeliveryId(2_147_483_647), audit), false);
  });

  test('old finished deliveries are deleted with their attempts; waiting deliveries stay', async () => {
    await line(hook, 'one', 'two', 'three');
    await tried(goodAttempt, delivered);
    await tried(badAttempt, givenUp);
    await tried(badAttempt, failedFor(0));
    await deliveries.forgetFinished(Date.now() - DAY_MS);
    assert.equal((await log()).length, 3);
    await deliveries.forgetFinished(Date.now() + DAY_MS);
    assert.deepEqual(
      (await log()).map(({ notification, attempts }) => [notification.eventId, attempts.length]),
      [['three', 1]],
    );
    const attempts = await database().read.selectFrom('message_attempts').select('id').execute();
    assert.equal(attempts.length, 1);
  });

  async function cleanUpAfter(days: number) {
    const nowMs = Date.now() + days * DAY_MS;
    const readTrustedTime = async () => ({ nowMs, runningMs: 0 });
    const [webSessions, loginThrottle] = [
      makeWebSessionStore(database()),
      makeLoginThrottleStore(database()),
    ];
    const vouchers = makeVoucherStore(database(), seal);
    const oneTimeForms = makeOneTimeFormStore(database());
    const ofLogins = { webSessions, loginThrottle, pendingLogins: makePendingLoginStore(database()) };
    const bulkRevocations = makeBulkRevocationStore(database());
    const { queue: messages, channels } = deliveries;
    const stores = { vouchers, messages, ...ofLogins, oneTimeForms, bulkRevocations };
    await makeCleanUpTurn({ ...stores, readTrustedTime }, channels, [])();
  }

  test('deliveries are given up after a month of waiting and deleted a month after they finished', async () => {
    await line(hook, 'one', 'two');
    await tried(goodAttempt, delivered);
    const keptAfter = async (days: number) => {
      await cleanUpAfter(days);
      return (await log()).map(({ notification }) => notification.eventId);
    };
    assert.deepEqual(await keptAfter(29), ['two', 'one']);
    assert.equal(await deliveries.next(hook), undefined);
    assert.deepEqual(await keptAfter(31), []);
  });

  test('the report of a bulk revocation is deleted a month after its end; an open one stays', async () => {
    const user = { email: 'rita@example.org', name: 'Rita', role: 'admin' as const, createdAtMs: Date.now() };
    const userId = await database().write((transaction) =>
      insertUser(transaction, { ...user, passwordHash: '-' }),
    );
    assert.ok(userId);
    const store = makeBulkRevocationStore(database());
    const about = { batchId: null, onlyUnused: false, vouchers: [], userId, ip: '192.0.2.1' };
    const [ended, open] = [asBulkRevocationId(randomUUID()), asBulkRevocationId(randomUUID())];
    for (const id of [ended, open]) await store.begin({ ...about, id, createdAtMs: Date.now() - DAY_MS });
    await store.end(ended, Date.now());
    await cleanUpAfter(29.9);
    assert.ok(await store.find(ended));
    await cleanUpAfter(30.1);
    assert.equal(await store.find(ended), undefined);
    assert.ok(await store.find(open));
  });

  test('a resent delivery is not deleted, however long ago it was finished', async () => {
    await line(hook, 'one');
    const { id } = await tried(goodAttempt, delivered);
    await deliveries.resend(id, audit);
    await deliveries.forgetFinished(Date.now() + DAY_MS);
    assert.equal(await nextEvent(), 'one');
  });
});
