// Tests deliveries over time: late results of a slow instance change nothing, a clock that ran ahead blocks no webhook,
// deliveries that waited too long are given up, and old ones are deleted in slices.

import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { sql } from 'kysely';
import type { WebhookId } from '../../src/kernel/ids.ts';
import { makeReadBacklogs } from '../../src/platform/database/backlog-queries.ts';
import { upsertLease } from '../../src/platform/leases/lease-queries.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addWebhook,
  badAttempt,
  delivered,
  failedFor,
  givenUp,
  goodAttempt,
  oweNotifications,
  sampleNotification,
  sampleWebhook,
} from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';
import { makeWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

const YEAR_MS = 365 * 24 * 60 * 60_000;
const audit = { actor: actorOf('CLI: ada'), atMs: 1 };

onEveryEngine('deliveries and time', (database) => {
  let deliveries: WebhookQueue;
  let id: WebhookId;
  beforeEach(async () => {
    deliveries = makeWebhookQueue(database());
    await database().write((transaction) => transaction.deleteFrom('webhooks').execute());
    id = await addWebhook(database());
    await oweNotifications(database(), 'e1', 'e2');
    await deliveries.fanOut(20);
  });

  async function waiting() {
    const delivery = await deliveries.next(id);
    assert.ok(delivery, 'no delivery is due');
    return delivery;
  }
  const log = async () => (await deliveries.log({ limit: 10 })).reverse();

  test('the result of a slow instance is discarded if another instance has delivered in the meantime', async () => {
    const seenBySlow = await waiting();
    await deliveries.noteAttempt(await waiting(), goodAttempt, delivered);
    await deliveries.noteAttempt(seenBySlow, badAttempt, failedFor(YEAR_MS));
    const [first] = await log();
    assert.deepEqual([first?.state, first?.attempts.length], ['delivered', 1]);
    assert.equal((await waiting()).notification.eventId, 'e2');
  });

  test('a late verdict does not undo a resend', async () => {
    const tenth = await waiting();
    await deliveries.noteAttempt(await waiting(), badAttempt, failedFor(0));
    await deliveries.resend(tenth.id, audit);
    await deliveries.noteAttempt({ ...tenth, attempts: 1 }, badAttempt, givenUp);
    assert.equal((await waiting()).id, tenth.id);
  });

  test('deliveries given up are counted per webhook, except tests and deliveries that are sent again', async () => {
    const sinceMs = Date.now() - 60_000;
    assert.deepEqual(await deliveries.countGivenUp(sinceMs), new Map());
    const [first, second] = [await waiting(), (await log())[1]];
    await deliveries.noteAttempt(first, badAttempt, givenUp);
    const webhook = { ...first.webhook, ...sampleWebhook() };
    const test = { ...sampleNotification('t'), kind: 'webhook.test' } as const;
    await deliveries.noteTest(webhook, test, { made: badAttempt, verdict: failedFor(0) });
    assert.deepEqual(await deliveries.countGivenUp(sinceMs), new Map([[id, 1]]));
    await deliveries.noteAttempt(await waiting(), badAttempt, givenUp);
    assert.deepEqual(await deliveries.countGivenUp(sinceMs), new Map([[id, 2]]));
    assert.deepEqual(await deliveries.countGivenUp(Date.now() + YEAR_MS), new Map());
    assert.ok(second);
    await deliveries.resend(second.id, audit);
    assert.deepEqual(await deliveries.countGivenUp(sinceMs), new Map([[id, 1]]));
  });

  test('a pause that ends later than any pause can last is ignored, because the clock was wrong', async () => {
    await deliveries.noteAttempt(await waiting(), badAttempt, failedFor(36 * 60 * 60_000));
    assert.equal(await deliveries.next(id), undefined);
    await database().write((transaction) =>
      transaction
        .updateTable('webhooks')
        .set({ due_at_ms: Date.now() + YEAR_MS })
        .execute(),
    );
    assert.deepEqual(await deliveries.listDue(), [id]);
    assert.ok(await deliveries.next(id));
  });

  test('a lease that ends a year ahead is free', async () => {
    const take = (holder: string, forMs: number) =>
      database().write((transaction) =>
        upsertLease(transaction, { name: 'x', holder, forMs }, database().now()),
      );
    assert.equal(await take('one', YEAR_MS), true);
    assert.equal(await take('other', 10_000), true);
    assert.equal(await take('third', 10_000), false);
  });

  test('deliveries that have waited since before the time limit are given up and stay in the log', async () => {
    await deliveries.giveUpWaiting(Date.now());
    assert.equal(await deliveries.next(id), undefined);
    const states = (await log()).map(({ state }) => state);
    assert.ok(states.every((state) => state === 'given-up'));
    assert.equal((await makeReadBacklogs(database())()).deliveries.count, 0);
  });

  test('a delivery that is sent again while it is about to be deleted stays', async () => {
    await deliveries.giveUpWaiting(Date.now());
    const changed = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const sendingAgain = database().write(async (transaction) => {
      await transaction
        .updateTable('messages')
        .set({ state: 'waiting', finished_at_ms: null })
        .where('event_id', '=', 'e1')
        .execute();
      changed.resolve();
      await release.promise;
    });
    await changed.promise;
    const forgetting = deliveries.forgetFinished(Date.now() + YEAR_MS);
    // On PostgreSQL the slice has selected both deliveries and waits for the row that is sent again.
    await untilOneWaits(database());
    release.resolve();
    await sendingAgain;
    await forgetting;
    assert.deepEqual(
      (await log()).map(({ notification }) => notification.eventId),
      ['e1'],
    );
  });

  test('old deliveries are deleted in slices, so that no statement takes longer than it may', async () => {
    const copies = sql`with recursive
      numbers(number) as (select 1 union all select number + 1 from numbers where number < 1000)
      insert into messages (channel, recipient_id, event_id, kind, payload, occurred_at_ms, state, finished_at_ms)
      select channel, recipient_id, event_id || number, kind, payload, occurred_at_ms, 'done', 5
      from messages, numbers where event_id = 'e1'`;
    await database().write((transaction) => copies.execute(transaction));
    const write = mock.fn(database().write);
    await makeWebhookQueue({ ...database(), write }).forgetFinished(6);
    assert.equal((await log()).length, 2, 'only the waiting deliveries are left');
    assert.equal(write.mock.callCount(), 3);
  });
});
