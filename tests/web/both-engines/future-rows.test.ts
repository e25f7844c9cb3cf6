// Tests an instance beside a newer release: rows with values that this release does not know are read by every store as
// unknown, are not used by the API and by background jobs, and do not disturb the other rows.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { webhookChannel } from '../../../src/features/webhooks/channel/channel.ts';
import { WEBHOOK_CHANNEL } from '../../../src/features/webhooks/delivery.ts';
import {
  asBatchId,
  asBulkRevocationId,
  asKeyId,
  asSiteId,
  asUserId,
  asWebhookId,
} from '../../../src/kernel/ids.ts';
import { makeRevocationUseCases } from '../../../src/kernel/vouchers/revocation-use-cases.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { FUTURE_URL, type FutureRows } from '../../support/future-rows.ts';
import { FUTURE_VALUES } from '../../support/future-values.ts';
import type { TestService } from '../../support/test-service.ts';
import { startFutureService } from '../future-service.ts';

const future = FUTURE_VALUES;

let service: TestService;
let rows: FutureRows;
let auditor = 0;
before(async () => {
  ({ service, rows, auditor } = await startFutureService());
});
after(() => service.stop());

test('every column with a closed set of values has one of the future', () => {
  for (const [table, columns] of Object.entries(future))
    for (const [column, value] of Object.entries<string | null>(columns))
      if (value !== null)
        assert.ok(
          service.rows(`select 1 from ${table} where ${column} = ?`, value).length > 0,
          `${table}.${column}`,
        );
});

test('every store reads its rows, and says which of them it does not know', async () => {
  const { beside } = service;
  const { site, webhook } = rows;
  const kinds = new Map(
    (await beside.sites.list()).map(({ id, controllerKind, connection, unreadUrl }) => [
      id,
      [controllerKind, connection, unreadUrl],
    ]),
  );
  for (const id of Object.values(site))
    assert.deepEqual(kinds.get(asSiteId(id)), ['unknown', null, FUTURE_URL]);
  assert.equal(kinds.get(asSiteId(1))?.[0], 'simulator');
  assert.equal((await beside.sites.listActive()).length, 4);
  assert.equal((await beside.sites.findActive(asSiteId(site.kind)))?.controllerKind, 'unknown');
  assert.equal((await beside.syncs.list()).get(asSiteId(1))?.cause, null);

  const formats = Object.fromEntries(
    (await beside.webhooks.list()).map(({ name, format, secrets }) => [name, [format, secrets === null]]),
  );
  assert.deepEqual(formats, {
    known: ['generic', false],
    format: ['unknown', true],
    platform: ['unknown', true],
    secrets: ['unknown', true],
  });
  assert.equal((await beside.webhooks.find(asWebhookId(webhook.known)))?.hasUnknownEvents, true);

  const [printer] = await beside.printers.list();
  assert.deepEqual(
    [printer?.kind, printer?.paper, printer?.layout, printer?.status?.state],
    ['unknown', 'unknown', 'unknown', 'unknown'],
  );

  const logged = await beside.deliveries.log({ limit: 10, webhookId: asWebhookId(webhook.known) });
  const told = Object.fromEntries(
    logged.map(({ notification, state }) => [notification.eventId, [notification.kind, state]]),
  );
  assert.deepEqual(told, {
    kind: ['unknown', 'waiting'],
    state: ['voucher.created', 'unknown'],
    payload: ['unknown', 'waiting'],
  });

  const scopes = Object.fromEntries((await beside.keys.list()).map(({ name, scope }) => [name, scope]));
  assert.deepEqual(scopes, { Test: 'write', Gäste: 'unknown', Gruppe: 'unknown' });
  assert.deepEqual(
    (await beside.users.list()).map(({ role }) => role),
    ['admin', 'unknown'],
  );
  assert.equal((await beside.users.findByEmail('audi@example.org'))?.role, 'unknown');
  assert.equal((await beside.batches.find(asBatchId('b1')))?.cause, null);
  assert.equal((await beside.batches.list({ siteIds: [asSiteId(site.kind)], limit: 5 })).length, 1);
  assert.deepEqual(await beside.batches.listOpen(), []);
  assert.partialDeepStrictEqual(await beside.bulkRevocations.tally(asBulkRevocationId('r1')), {
    unknown: 1,
    awaiting: 0,
  });
  assert.deepEqual(await beside.bulkRevocations.listOpen(), []);
  assert.equal(
    (await beside.vouchers.listIntents(asSiteId(site.kind)))[0]?.actor.name,
    future.intents.source,
  );
  assert.equal(
    (await beside.searchAudit({ limit: 50 })).entries.find(({ subject }) => subject === 'guest 5')?.action,
    future.audit.action,
  );
  const found = await beside.finder.search({ siteIds: [asSiteId(1)], nowS: 1, limit: 10 });
  assert.equal(found.vouchers.length, 2);
  assert.partialDeepStrictEqual(await beside.settings.read(), {
    title: 'Zukunft',
    language: null,
    secondFactorFor: 'everyone',
  });
  assert.deepEqual(await beside.backups.list(), []);
  assert.partialDeepStrictEqual(await beside.slips.find(asSiteId(1)), {
    wifiSecurity: 'unknown',
    languages: ['de'],
    hasUnknownLanguages: true,
  });
  assert.equal(await beside.images.find(`site-${asSiteId(1)}`), undefined);
  assert.deepEqual((await beside.singleSignOn.read()).rules, []);
  assert.deepEqual(
    (await beside.instances.listLiving()).map(({ release }) => release).at(-1),
    future.instances.release,
  );
  await beside.profiles.list();
  await beside.invitations.list();
  await beside.identities.listWaiting();
  await beside.webSessions.list(asUserId(auditor));
  await beside.untrustedProxies.list();
  await beside.usage.newestId();
  await beside.statistics.perSite(0, 1);
  await beside.readBacklogs();
  await beside.tallySealedValues();
  const personal = await beside.openPersonalData();
  assert.ok(personal);
});

test('the API serves the other sites, and a site of the future is a controller failure with a clear text', async () => {
  const order = (site_id: number) =>
    service.call('POST', 'vouchers.php', { body: { site_id, name: 'Zimmer' } });
  assert.equal((await order(1)).status, 201);
  for (const id of Object.values(rows.site)) {
    const { status, json } = await order(id);
    assert.deepEqual([status, json.error], [500, 'server_error']);
    assert.match(json.message, /controller of this site is not known to this release/);
    assert.equal((await service.call('GET', `vouchers.php?site_id=${id}`)).status, 200);
  }
  assert.equal((await service.call('GET', 'sites.php')).json.sites.length, 4);
  const [{ count } = {}] = service.rows(
    'select count(*) as count from intents where site_id = ?',
    rows.site.trust,
  );
  assert.equal(Number(count), 0, 'no intent is left');
});

test('a key with a scope of the future authorises nothing, and a stored response that cannot be read is not repeated', async () => {
  assert.equal((await service.call('GET', 'sites.php', { key: rows.key })).status, 403);
  assert.equal((await service.call('GET', 'vouchers.php?site_id=1', { key: rows.key })).status, 403);
  const ticket = {
    apiKeyId: asKeyId(String(service.rows("select id from api_keys where name = 'Test'")[0]?.id)),
    key: 'zukunft',
    bodyHash: 'h',
  };
  assert.deepEqual(await service.beside.vouchers.findResponse(ticket, service.clock.nowMs()), {
    ok: false,
    problem: { kind: 'idempotency-in-progress' },
  });
});

test('nothing is sent to a webhook of the future, and its notifications stay queued', async () => {
  const { messages } = service.beside;
  const channel = webhookChannel.open(service.beside, { pace: 1 });
  const due = await messages.listDue(WEBHOOK_CHANNEL);
  for (const name of ['format', 'platform'] as const) assert.ok(!due.includes(rows.webhook[name]), name);
  for (const id of Object.values(rows.webhook)) {
    const next = await messages.next(WEBHOOK_CHANNEL, id);
    assert.equal(next && (await channel.prepare(next, async () => [])), undefined, String(id));
  }
  await messages.giveUpWaiting(WEBHOOK_CHANNEL, service.clock.nowMs() + 1);
  const [kept] = service.rows("select state from messages where event_id = 'kind'");
  assert.equal(kept?.state, 'waiting');
});

test('a sync of a site of the future sends nothing and records no failure; a bulk revocation waits for a newer instance', async () => {
  const { beside } = service;
  const found = await beside.sites.find(asSiteId(rows.site.kind));
  assert.ok(found);
  const { syncSite } = makeSyncUseCases(beside, {});
  const synced = await syncSite(found, new AbortController().signal);
  assert.partialDeepStrictEqual(synced, { ok: false, problem: { cause: 'not-known' } });
  assert.equal((await beside.syncs.list()).has(found.id), false);

  service.change('update vouchers set site_id = ? where id = 2', rows.site.kind);
  service.change(
    'insert into bulk_revocations (id, user_id, address, site_ids, only_unused, created_at_ms) select ?, user_id, address, ?, 0, ? from bulk_revocations',
    'r2',
    String(rows.site.kind),
    service.clock.nowMs(),
  );
  service.change(
    "insert into bulk_revocation_vouchers (revocation_id, voucher_id, site_id) values ('r2', 2, ?)",
    rows.site.kind,
  );
  const { runBulkRevocation } = makeRevocationUseCases(beside);
  await runBulkRevocation(asBulkRevocationId('r2'), new AbortController().signal);
  assert.partialDeepStrictEqual(await beside.bulkRevocations.tally(asBulkRevocationId('r2')), {
    awaiting: 1,
    failed: 0,
  });
  assert.equal((await beside.bulkRevocations.find(asBulkRevocationId('r2')))?.endedAtMs, null);

  service.change("update bulk_revocations set user_id = ?, site_ids = '1' where id = 'r2'", auditor);
  service.change(
    "update bulk_revocation_vouchers set voucher_id = 1, site_id = 1 where revocation_id = 'r2'",
  );
  await runBulkRevocation(asBulkRevocationId('r2'), new AbortController().signal);
  const ofAuditor = await beside.bulkRevocations.tally(asBulkRevocationId('r2'));
  assert.partialDeepStrictEqual(
    ofAuditor,
    { awaiting: 1, failed: 0 },
    'the role is left to a newer instance',
  );
});

test('metrics and readiness do not depend on the rows of the future', async () => {
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200);
  const metrics = await fetch(`${service.url}/metrics`);
  assert.match(await metrics.text(), /gastpass_/);
});
