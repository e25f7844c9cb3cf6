// Tests the stores of webhooks and deliveries: each method is one transaction that includes its audit entry, and each
// notification becomes one delivery per active webhook, also with concurrent callers.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { insertDeliveries } from '../../src/features/webhooks/delivery-queries.ts';
import { makeAddWebhook, makeRotateSecret } from '../../src/features/webhooks/manage-webhooks.ts';
import type { WebhookChange, WebhookStore } from '../../src/features/webhooks/webhook.ts';
import { makeDeliveryStore, makeWebhookStore } from '../../src/features/webhooks/webhook-store.ts';
import type { WebhookId } from '../../src/kernel/ids.ts';
import { insertAttempt, updateAfterAttempt } from '../../src/kernel/messages/message-queries.ts';
import { insertOutboxEvent } from '../../src/kernel/messages/outbox-queries.ts';
import type { Handle } from '../../src/platform/database/database.ts';
import { checkSecret } from '../../src/platform/secrets/secret-check.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addWebhook,
  badAttempt,
  delivered,
  failedFor,
  goodAttempt,
  NOW_MS,
  oweNotifications,
  sampleNotification,
  sampleWebhook,
  seal,
} from './samples.ts';
import { makeWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

const audit = { actor: actorOf('CLI: ada'), atMs: NOW_MS };
const DAY_MS = 24 * 60 * 60_000;

onEveryEngine('stores of webhooks and deliveries', (database) => {
  let webhooks: WebhookStore;
  let deliveries: WebhookQueue;
  beforeEach(async () => {
    webhooks = makeWebhookStore(database(), seal);
    deliveries = makeWebhookQueue(database());
    await database().write(async (transaction) => {
      for (const table of ['message_attempts', 'messages', 'webhooks', 'outbox', 'audit'] as const)
        await transaction.deleteFrom(table).execute();
    });
  });

  const rows = (table: 'audit' | 'outbox' | 'messages' | 'message_attempts') =>
    database().read.selectFrom(table).selectAll().orderBy('id').execute();
  const entries = async () => {
    const found = await database().read.selectFrom('audit').selectAll().orderBy('id').execute();
    return found.map(({ actor, action, subject }) => `${actor} ${action} ${subject}`);
  };
  const lineOf = async (id: WebhookId) => {
    const found = await deliveries.log({ limit: 1_000, webhookId: id });
    return found.map(({ notification }) => notification.eventId).reverse();
  };
  async function waiting(id: WebhookId) {
    const delivery = await deliveries.next(id);
    assert.ok(delivery, 'no delivery is due');
    return delivery;
  }

  test('of equal webhooks added at once only one is stored, and no rotation at once gets lost', async () => {
    await checkSecret(database(), seal, { hasPrevious: false, mayStore: true });
    const findUrlIssue = async () => undefined;
    const addWebhook = makeAddWebhook({
      webhooks,
      findUrlIssue,
      detectPlatform: () => null,
      findOutdated: async () => undefined,
    });
    const add = () => addWebhook({ url: 'https://hooks.example.org/x', format: 'generic' }, audit);
    const added = await Promise.all([add(), add(), add()]);
    const [webhook, ...more] = await webhooks.list();
    assert.ok(webhook?.secrets);
    assert.deepEqual([added.filter(({ ok }) => ok).length, more], [1, []]);

    const rotateSecret = makeRotateSecret({ webhooks });
    const shown = await Promise.all([rotateSecret(webhook.id, audit), rotateSecret(webhook.id, audit)]);
    const secrets = (await webhooks.find(webhook.id))?.secrets;
    assert.deepEqual(new Set([secrets?.current, secrets?.previous?.secret]), new Set(shown));
    assert.equal((await entries()).length, 3);
  });

  test('to send to a webhook, no other webhook is read', async () => {
    const id = await addWebhook(database());
    const other = await addWebhook(database());
    const unreadable = { sealed_url: 'x' };
    await database().write((transaction) =>
      transaction.updateTable('webhooks').set(unreadable).where('id', '=', other).execute(),
    );
    assert.equal((await webhooks.findTarget(id))?.id, id);
    await assert.rejects(webhooks.find(id));
  });

  test('changes to webhooks are in the audit log, without the URL’s path and the secret', async () => {
    const id = await webhooks.add(sampleWebhook({ name: 'Kasse' }), audit);
    await webhooks.change(id, { active: false }, audit);
    await webhooks.change(id, { name: 'Bar', events: ['site.recovered'] }, audit);
    assert.partialDeepStrictEqual(await webhooks.find(id), { name: 'Bar', events: ['site.recovered'] });
    await webhooks.change(id, { secrets: { current: 'whsec_TmV1' } }, audit);
    assert.equal(await webhooks.remove(id, audit), true);
    assert.deepEqual(
      [await webhooks.remove(id, audit), await webhooks.change(id, { active: true }, audit)],
      [false, false],
    );
    assert.deepEqual(await entries(), [
      `CLI: ada webhook.added webhook ${id} (Kasse): https://hooks.example.org/… (generic)`,
      `CLI: ada webhook.changed webhook ${id} (Kasse): deactivated`,
      `CLI: ada webhook.changed webhook ${id} (Bar): name, events`,
      `CLI: ada webhook.changed webhook ${id} (Bar): secrets`,
      `CLI: ada webhook.removed webhook ${id} (Bar)`,
    ]);
  });

  test('neither the user info nor the query of a URL is written to the audit log', async () => {
    const url = 'https://ada:GEHEIM@x.example/?token=GEHEIM';
    const id = await webhooks.add(sampleWebhook({ url }), audit);
    assert.deepEqual(await entries(), [
      `CLI: ada webhook.added webhook ${id} (x.example): https://x.example/… (generic)`,
    ]);
  });

  test('every active webhook gets every notification once, in order, and the outbox is empty afterwards', async () => {
    const [one, off, two] = [
      await addWebhook(database()),
      await addWebhook(database()),
      await addWebhook(database()),
    ];
    await webhooks.change(off, { active: false }, audit);
    await oweNotifications(database(), 'a', 'b', 'c');
    assert.equal(await deliveries.fanOut(200), 3);
    assert.deepEqual(
      [await lineOf(one), await lineOf(off), await lineOf(two)],
      [['a', 'b', 'c'], [], ['a', 'b', 'c']],
    );
    assert.deepEqual([await rows('outbox'), await deliveries.fanOut(200)], [[], 0]);
    assert.deepEqual((await waiting(one)).notification, sampleNotification('a'));
  });

  test('with a limit, the oldest notifications are turned into deliveries first and the rest later', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a', 'b', 'c', 'd', 'e');
    assert.deepEqual([await deliveries.fanOut(2), await lineOf(id)], [2, ['a', 'b']]);
    assert.deepEqual([await deliveries.fanOut(2), await deliveries.fanOut(2)], [2, 1]);
    assert.deepEqual(await lineOf(id), ['a', 'b', 'c', 'd', 'e']);
  });

  test('a notification is written only if an active webhook wants to know of new vouchers', async () => {
    const id = await addWebhook(database(), { events: ['site.unreachable'] });
    const change = async (fields: WebhookChange) => void (await webhooks.change(id, fields, audit));
    const eventOf = (fields: { events: string }) =>
      database().write((transaction) => transaction.updateTable('webhooks').set(fields).execute());
    await oweNotifications(database(), 'a');
    await change({ events: ['site.unreachable', 'voucher.created', 'webhook.failing'] });
    await oweNotifications(database(), 'b');
    await change({ active: false });
    await oweNotifications(database(), 'c');
    await change({ active: true });
    await eventOf({ events: 'voucher.created.later,voucher-created' });
    await oweNotifications(database(), 'd');
    await eventOf({ events: 'of-a-newer-release,voucher.created' });
    await oweNotifications(database(), 'e');
    assert.equal(await deliveries.fanOut(200), 2);
    assert.deepEqual(await lineOf(id), ['b', 'e']);
  });

  test('a notification is dropped if no webhook is left; a webhook added later gets only later notifications', async () => {
    const earlier = await addWebhook(database());
    await oweNotifications(database(), 'a');
    await webhooks.remove(earlier, audit);
    assert.equal(await deliveries.fanOut(200), 1);
    assert.deepEqual([await rows('outbox'), await rows('messages')], [[], []]);
    const id = await addWebhook(database());
    await oweNotifications(database(), 'b');
    await deliveries.fanOut(200);
    assert.deepEqual(await lineOf(id), ['b']);
  });

  test('concurrent fan-outs create each delivery once, in order', async () => {
    const [one, two] = [await addWebhook(database()), await addWebhook(database())];
    const events = Array.from({ length: 60 }, (_, index) => `event ${String(index).padStart(2, '0')}`);
    const another = makeDeliveryStore(database(), seal);
    for (let at = 0; at < events.length; at += 10) {
      await oweNotifications(database(), ...events.slice(at, at + 10));
      await Promise.all([deliveries, another, deliveries, another].map((store) => store.fanOut(4)));
    }
    while ((await deliveries.fanOut(200)) > 0);
    assert.deepEqual([await lineOf(one), await lineOf(two)], [events, events]);
  });

  test('a notification is turned into all its deliveries, or stays in the outbox', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a');
    const rename = (from: string, to: string) =>
      database().write((transaction) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(transaction),
      );
    await rename('messages', 'taken_away');
    await assert.rejects(deliveries.fanOut(200), /no such table|does not exist/);
    await rename('taken_away', 'messages');
    assert.equal((await rows('outbox')).length, 1);
    await deliveries.fanOut(200);
    assert.deepEqual(await lineOf(id), ['a']);
  });

  test('removing a webhook during a delivery attempt deletes its deliveries and discards the attempt', async () => {
    const [id, other] = [await addWebhook(database()), await addWebhook(database())];
    await oweNotifications(database(), 'a', 'b');
    await deliveries.fanOut(200);
    await deliveries.noteAttempt(await waiting(id), badAttempt, failedFor(0));
    const running = await waiting(id);
    assert.equal(await webhooks.remove(id, audit), true);
    await deliveries.noteAttempt(running, goodAttempt, delivered);
    assert.deepEqual([await lineOf(id), await rows('message_attempts')], [[], []]);
    assert.deepEqual(await lineOf(other), ['a', 'b']);
    assert.deepEqual(await deliveries.listDue(), [other]);
  });

  /** Starts a removal while a transaction is open. The removal may have to wait for that transaction. */
  async function removeDuring(id: WebhookId, job: (transaction: Handle) => Promise<void>) {
    let removing: Promise<boolean> | undefined;
    await database().write(async (transaction) => {
      await job(transaction);
      removing = webhooks.remove(id, audit);
      // Give the removal time to reach the lock it waits for.
      for (let turn = 0; turn < 50; turn++) await transaction.selectFrom('webhooks').select('id').execute();
    });
    assert.equal(await removing, true);
    assert.deepEqual(
      [await webhooks.list(), await rows('messages'), await rows('message_attempts')],
      [[], [], []],
    );
  }

  test('a webhook can be removed while a delivery attempt is being recorded', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a');
    await deliveries.fanOut(200);
    const delivery = await waiting(id);
    await removeDuring(id, async (transaction) => {
      await updateAfterAttempt(transaction, delivery, failedFor(0), database().now());
      await insertAttempt(transaction, delivery.id, badAttempt, database().now());
    });
  });

  test('a webhook can be removed while a delivery for it is being created', async () => {
    const id = await addWebhook(database());
    await removeDuring(id, (transaction) => insertDeliveries(transaction, [id], [sampleNotification('a')]));
  });

  test('a test delivery is finished at once, outside of the queue, and a failed test is not counted', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a');
    await deliveries.fanOut(200);
    const webhook = (await waiting(id)).webhook;
    const message = {
      ...sampleNotification('t', { siteName: '', source: '', voucherCount: 0 }),
      kind: 'webhook.test',
    } as const;
    await deliveries.noteTest(webhook, message, { made: badAttempt, verdict: failedFor(60_000) });
    const [test, a] = await deliveries.log({ limit: 2 });
    assert.partialDeepStrictEqual(test, { notification: message, state: 'given-up', nextAttemptAtMs: null });
    assert.equal(test?.attempts.length, 1);
    assert.equal(a?.state, 'waiting');
    assert.equal(
      (await webhooks.find(id))?.failures,
      0,
      'a failed test does not count as a failure of the webhook',
    );
    await deliveries.noteTest(
      webhook,
      { ...message, eventId: 'u' },
      { made: goodAttempt, verdict: delivered },
    );
    assert.equal((await deliveries.log({ limit: 1 }))[0]?.state, 'delivered');
    assert.equal((await webhooks.find(id))?.failures, 0);
    assert.equal((await waiting(id)).notification.eventId, 'a');
    await deliveries.forgetFinished(Date.now() + DAY_MS);
    assert.deepEqual(await lineOf(id), ['a']);
  });

  test('a test of a webhook that was removed meanwhile leaves nothing behind', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a');
    await deliveries.fanOut(200);
    const { webhook } = await waiting(id);
    await webhooks.remove(id, audit);
    await deliveries.noteTest(webhook, sampleNotification('t'), { made: badAttempt, verdict: failedFor(0) });
    assert.deepEqual([await rows('messages'), await rows('message_attempts')], [[], []]);
  });

  test('a resend is in the audit log, unless the delivery no longer exists', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a');
    await deliveries.fanOut(200);
    const delivery = await waiting(id);
    await deliveries.resend(delivery.id, audit);
    await webhooks.remove(id, audit);
    await deliveries.resend(delivery.id, audit);
    assert.deepEqual(await entries(), [
      `CLI: ada delivery.resent ${delivery.id}`,
      `CLI: ada webhook.removed webhook ${id} (hooks.example.org)`,
    ]);
  });

  test('the same notification cannot be written to the outbox twice', async () => {
    await addWebhook(database());
    await oweNotifications(database(), 'a');
    const again = database().write((transaction) => insertOutboxEvent(transaction, sampleNotification('a')));
    await assert.rejects(again, /unique/i);
  });

  test('any response text of a webhook can be stored', async () => {
    const id = await addWebhook(database());
    await oweNotifications(database(), 'a');
    await deliveries.fanOut(200);
    const response = '😀 \u009b31m \u202e "\' \\ ä';
    await deliveries.noteAttempt(await waiting(id), { ...badAttempt, response }, failedFor(0));
    assert.equal((await deliveries.log({ limit: 1 }))[0]?.attempts[0]?.response, response);
  });
});
