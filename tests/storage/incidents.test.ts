// Tests that failures are reported once to the webhooks that chose them: a site that stays unreachable, its recovery, a
// changed certificate and a failing webhook. Also that instances of an earlier release do not see these deliveries.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { insertIncident } from '../../src/features/webhooks/incident-queries.ts';
import { EVENT_KINDS } from '../../src/features/webhooks/notification.ts';
import { makeWebhookStore } from '../../src/features/webhooks/webhook-store.ts';
import type { SiteId, WebhookId } from '../../src/kernel/ids.ts';
import { FAILING_AFTER_ATTEMPTS } from '../../src/kernel/messages/judge-attempt.ts';
import { isFailing, type SyncStore, UNREACHABLE_AFTER_MS } from '../../src/kernel/sites/site-sync.ts';
import { upsertSyncFailure } from '../../src/kernel/sites/sync-queries.ts';
import { makeSyncStore } from '../../src/kernel/vouchers/storage/usage-store.ts';
import { TESTER } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import {
  addSite,
  addWebhook,
  badAttempt,
  delivered,
  failedFor,
  givenUp,
  goodAttempt,
  NOW_MS,
  oweNotifications,
  seal,
} from './samples.ts';
import { makeWebhookQueue, type WebhookQueue } from './webhook-queue.ts';

const audit = { actor: TESTER, atMs: NOW_MS };
const GONE = { ...givenUp, offBecause: 'gone' };

onEveryEngine('incidents', (database) => {
  let syncs: SyncStore;
  let deliveries: WebhookQueue;
  let site: SiteId;
  let all: WebhookId;
  let vouchersOnly: WebhookId;
  beforeEach(async () => {
    syncs = makeSyncStore(database(), 60, insertIncident);
    deliveries = makeWebhookQueue(database());
    await database().write(async (transaction) => {
      for (const table of ['messages', 'webhooks', 'outbox'] as const)
        await transaction.deleteFrom(table).execute();
    });
    site = await addSite(database(), { name: 'Haus A' });
    all = await addWebhook(database(), { name: 'Alarm', events: EVENT_KINDS });
    vouchersOnly = await addWebhook(database(), { name: 'Kasse' });
  });

  const toldTo = async (webhookId: WebhookId) =>
    (await deliveries.log({ limit: 100, webhookId })).map(({ notification }) => notification).reverse();
  const kindsTo = async (id: WebhookId) => (await toldTo(id)).map(({ kind }) => kind);
  /** Moves the beginning of the failures back. */
  const failsFor = (ms: number) =>
    database().write((transaction) =>
      sql`update site_syncs set failing_since_ms = failing_since_ms - ${ms}, synced_at_ms = null where site_id = ${site}`.execute(
        transaction,
      ),
    );
  const attempt = async (id: WebhookId, verdict = failedFor(0)) => {
    const delivery = await deliveries.next(id);
    assert.ok(delivery);
    await deliveries.noteAttempt(delivery, verdict.failed ? badAttempt : goodAttempt, verdict);
    return delivery;
  };

  test('a site is reported as unreachable once, after five minutes, and once as recovered', async () => {
    await syncs.noteFailure(site, 'no answer', 'nobody-answers');
    await syncs.noteFailure(site, 'no answer', 'nobody-answers');
    assert.deepEqual(await kindsTo(all), []);
    await failsFor(UNREACHABLE_AFTER_MS);
    for (let times = 0; times < 3; times++) await syncs.noteFailure(site, 'no answer', 'nobody-answers');
    const [unreachable, ...more] = await toldTo(all);
    assert.ok(unreachable?.kind === 'site.unreachable');
    assert.partialDeepStrictEqual(unreachable, { siteId: site, siteName: 'Haus A', cause: 'nobody-answers' });
    assert.ok(unreachable.occurredAtMs - unreachable.sinceMs >= UNREACHABLE_AFTER_MS);
    assert.deepEqual(more, []);
    for (let times = 0; times < 3; times++) await syncs.noteSuccess(site);
    const [, recovered] = await toldTo(all);
    assert.partialDeepStrictEqual(recovered, { kind: 'site.recovered', sinceMs: unreachable.sinceMs });
    assert.deepEqual(await kindsTo(all), ['site.unreachable', 'site.recovered']);
    assert.deepEqual(await kindsTo(vouchersOnly), []);

    await syncs.noteFailure(site, 'no answer');
    await failsFor(UNREACHABLE_AFTER_MS);
    await syncs.noteFailure(site, 'no answer');
    assert.deepEqual(await kindsTo(all), ['site.unreachable', 'site.recovered', 'site.unreachable']);
  });

  test('a site that is known to work again is reported as recovered once, and its next sync is due', async () => {
    await syncs.noteWorking(site);
    await syncs.noteFailure(site, 'another', 'other-certificate');
    for (let times = 0; times < 2; times++) await syncs.noteWorking(site);
    assert.deepEqual(await kindsTo(all), ['certificate.changed', 'site.recovered']);
    const known = { syncedAtMs: null, failedAtMs: null, error: null, cause: null, failingSinceMs: null };
    assert.deepEqual((await syncs.list()).get(site), known);
    assert.ok(((await syncs.sinceLastMs(site)) ?? 0) > UNREACHABLE_AFTER_MS);
    await syncs.noteFailure(site, 'another', 'other-certificate');
    assert.ok((await syncs.list()).get(site)?.failingSinceMs);
  });

  test('a cause is stored under the name that the release before knows, and read under its own', async () => {
    await syncs.noteFailure(site, 'no JSON', 'not-controller');
    await failsFor(UNREACHABLE_AFTER_MS);
    await syncs.noteFailure(site, 'no JSON', 'not-controller');
    const sync = await database()
      .read.selectFrom('site_syncs')
      .select('cause')
      .where('site_id', '=', site)
      .executeTakeFirst();
    const [told] = await database().read.selectFrom('messages').select('payload').execute();
    assert.equal(sync?.cause, 'not-unifi');
    assert.equal(JSON.parse(told?.payload ?? '{}').cause, 'not-unifi');
    assert.equal((await syncs.list()).get(site)?.cause, 'not-controller');
    assert.partialDeepStrictEqual((await toldTo(all))[0], { cause: 'not-controller' });
  });

  test('a success of the future, of a clock that was ahead, does not hide a failure or delay the next sync', async () => {
    await syncs.noteSuccess(site);
    await database().write((transaction) =>
      sql`update site_syncs set synced_at_ms = synced_at_ms + 3600000 where site_id = ${site}`.execute(
        transaction,
      ),
    );
    assert.equal(await syncs.sinceLastMs(site), undefined, 'the next sync is due');
    await syncs.noteFailure(site, 'no answer');
    const sync = (await syncs.list()).get(site);
    assert.ok(sync && isFailing(sync));
  });

  test('a failure takes the time only once, although the time of PostgreSQL goes on within a statement', async () => {
    const now = sql<number>`${database().now()} + cast(abs(random()) * 1000 as bigint) % 1000`;
    for (let times = 0; times < 20; times++) {
      await database().write((transaction) =>
        sql`update site_syncs set synced_at_ms = 9000000000000000 where site_id = ${site}`.execute(
          transaction,
        ),
      );
      await database().write((transaction) =>
        upsertSyncFailure(transaction, site, { now, error: 'no answer', cause: null }),
      );
      const sync = (await syncs.list()).get(site);
      assert.ok(sync && isFailing(sync));
    }
  });

  test('a short failure is not reported', async () => {
    await syncs.noteFailure(site, 'no answer');
    await failsFor(UNREACHABLE_AFTER_MS - 60_000);
    await syncs.noteFailure(site, 'no answer');
    await syncs.noteSuccess(site);
    assert.deepEqual(await kindsTo(all), []);
  });

  test('several instances that fail at the same time report the outage and the recovery once', async () => {
    await syncs.noteFailure(site, 'no answer');
    await failsFor(UNREACHABLE_AFTER_MS);
    const instances = Array.from({ length: 5 }, () => makeSyncStore(database(), 60, insertIncident));
    await Promise.all(instances.map((one) => one.noteFailure(site, 'no answer')));
    await Promise.all(instances.map((one) => one.noteSuccess(site)));
    assert.deepEqual(await kindsTo(all), ['site.unreachable', 'site.recovered']);
  });

  for (const cause of ['other-certificate', 'unvouched-certificate'] as const)
    test(`a changed certificate (${cause}) is reported at once, instead of an unreachable site, and then the recovery`, async () => {
      for (let times = 0; times < 2; times++) await syncs.noteFailure(site, 'another', cause);
      await failsFor(UNREACHABLE_AFTER_MS);
      // Instances of earlier releases report `away` between two attempts.
      await syncs.noteFailure(site, 'not reachable since', 'away');
      await syncs.noteFailure(site, 'another', cause);
      await syncs.noteSuccess(site);
      assert.deepEqual(await kindsTo(all), ['certificate.changed', 'site.recovered']);
    });

  test('a certificate that changes during an outage is reported too', async () => {
    await syncs.noteFailure(site, 'no answer');
    await failsFor(UNREACHABLE_AFTER_MS);
    await syncs.noteFailure(site, 'no answer');
    await syncs.noteFailure(site, 'another', 'other-certificate');
    assert.deepEqual(await kindsTo(all), ['site.unreachable', 'certificate.changed']);
  });

  test('if the deliveries cannot be stored, the outage counts as not reported', async () => {
    await syncs.noteFailure(site, 'no answer');
    await failsFor(UNREACHABLE_AFTER_MS);
    const rename = (from: string, to: string) =>
      database().write((transaction) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(transaction),
      );
    await rename('messages', 'taken_away');
    await assert.rejects(syncs.noteFailure(site, 'no answer'), /no such table|does not exist/);
    await rename('taken_away', 'messages');
    await syncs.noteFailure(site, 'no answer');
    assert.deepEqual(await kindsTo(all), ['site.unreachable']);
  });

  test('a failing webhook is reported once per series of failures, to the other webhooks only', async () => {
    await makeWebhookStore(database(), seal).change(vouchersOnly, { events: EVENT_KINDS }, audit);
    await oweNotifications(database(), 'a', 'b');
    await deliveries.fanOut(10);
    for (let times = 1; times < FAILING_AFTER_ATTEMPTS; times++) await attempt(vouchersOnly);
    assert.ok(!(await kindsTo(all)).includes('webhook.failing'));
    for (let times = 0; times < 3; times++) await attempt(vouchersOnly);
    const told = (await toldTo(all)).filter(({ kind }) => kind === 'webhook.failing');
    assert.equal(told.length, 1);
    const failures = FAILING_AFTER_ATTEMPTS;
    assert.partialDeepStrictEqual(told[0], {
      webhookId: vouchersOnly,
      webhookName: 'Kasse',
      failures,
      isOff: false,
    });
    assert.ok(!(await kindsTo(vouchersOnly)).includes('webhook.failing'));
    await attempt(vouchersOnly, delivered);
    for (let times = 0; times < failures; times++) await attempt(vouchersOnly);
    assert.equal((await kindsTo(all)).filter((kind) => kind === 'webhook.failing').length, 2);
  });

  test('a webhook that is switched off because its target is gone is reported once', async () => {
    await oweNotifications(database(), 'a');
    await deliveries.fanOut(10);
    await attempt(vouchersOnly, GONE);
    const [, failing] = await toldTo(all);
    assert.partialDeepStrictEqual(failing, { kind: 'webhook.failing', isOff: true, failures: 1 });
  });

  test('a delivery of an event that only a newer release knows is left alone', async () => {
    await oweNotifications(database(), 'a', 'b');
    await deliveries.fanOut(10);
    await database().write((transaction) =>
      sql`update messages set kind = 'guest.arrived' where event_id = 'a'`.execute(transaction),
    );
    assert.equal((await deliveries.next(all))?.notification.eventId, 'b');
    assert.deepEqual(await kindsTo(all), ['unknown', 'voucher.created']);
  });

  test('webhooks of earlier releases are called by their host, and can be told apart', async () => {
    const [one, two] = [await addWebhook(database()), await addWebhook(database())];
    const names = new Map(
      (await makeWebhookStore(database(), seal).list()).map(({ id, name }) => [id, name]),
    );
    assert.deepEqual([names.get(one), names.get(two)], ['hooks.example.org', `hooks.example.org (${two})`]);
  });
});
