// Tests the notifications of failures end to end: a simulated console that goes away and comes back with another
// certificate, and a webhook whose target refuses everything.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { EVENT_KINDS } from '../../../src/features/webhooks/notification.ts';
import type { SiteId } from '../../../src/kernel/ids.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addWebhookTo, makeVouchers, type RecordingReceiver, startReceiver } from './recording-receiver.ts';

const MINUTE_MS = 60_000;

let service: TestService;
let alarm: RecordingReceiver;
let till: RecordingReceiver;
let chat: RecordingReceiver;
before(async () => {
  service = await startTestService({ pace: 0.1 });
  [alarm, till, chat] = await Promise.all([startReceiver(), startReceiver(), startReceiver()]);
  await addWebhookTo(service.beside, alarm.url, { name: 'Alarm', events: EVENT_KINDS });
  await addWebhookTo(service.beside, till.url, { name: 'Kasse' });
  const events = ['site.unreachable', 'certificate.changed'] as const;
  await addWebhookTo(service.beside, chat.url, { name: 'Technik', format: 'chat', secrets: null, events });
});
after(async () => {
  await service.stop();
  await Promise.all([alarm, till, chat].map((receiver) => receiver.stop()));
});

test('an outage, a changed certificate and the recovery are each reported once, to the webhooks that chose them', async () => {
  const { beside } = service;
  const first = await startSimulatedConsole();
  const connection = {
    url: first.url,
    credentials: { apiKey: first.apiKey },
    trust: { kind: 'pinned' as const, fingerprint256: first.fingerprint256 },
  };
  const site = {
    name: 'Haus am See',
    active: true,
    controllerKind: 'unifi' as const,
    controllerSite: 'default',
  };
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  const id = await beside.sites.add({ ...site, connection }, audit);
  const sync = async () => {
    const found = await beside.sites.find(id);
    assert.ok(found);
    return (await makeSyncUseCases(beside).syncSite(found, new AbortController().signal))?.ok;
  };
  const kinds = () => alarm.arrivals.map(({ body }) => body.type);

  assert.equal(await sync(), true);
  await first.stop();
  assert.equal(await sync(), false);
  longAgo(id);
  for (let times = 0; times < 2; times++) assert.equal(await sync(), false);
  await until(() => kinds().length === 1);
  const { type, data } = alarm.arrivals[0]?.body ?? {};
  assert.equal(type, 'site.unreachable');
  assert.partialDeepStrictEqual(data, { site: 'Haus am See', site_id: id, cause: 'nobody-answers' });
  assert.ok(Date.parse(data.since) > 0);

  const port = Number(new URL(first.url).port);
  const second = await startSimulatedConsole({ port, apiKey: first.apiKey });
  assert.equal(second.url, first.url);
  for (let times = 0; times < 2; times++) assert.equal(await sync(), false);
  await until(() => kinds().length === 2);

  const trust = { kind: 'pinned' as const, fingerprint256: second.fingerprint256 };
  await beside.sites.change(id, { connection: { ...connection, trust } }, audit);
  for (let times = 0; times < 2; times++) assert.equal(await sync(), true);
  await until(() => kinds().length === 3);
  await second.stop();
  assert.deepEqual(kinds(), ['site.unreachable', 'certificate.changed', 'site.recovered']);
  assert.deepEqual(alarm.arrivals[2]?.body.data, { site: 'Haus am See', site_id: id, since: data.since });
  for (const { headers } of alarm.arrivals) assert.match(String(headers['webhook-signature']), /^v1,/);
  // A chat is called at most once a second.
  service.clock.advance(1_000);
  await until(() => chat.arrivals.length === 2);
  assert.match(
    chat.arrivals[0]?.body.text,
    /^🔴 Der Controller von "Haus am See" ist seit \d+ Minuten nicht/,
  );
  assert.match(
    chat.arrivals[1]?.body.text,
    /^🔴 Der Controller von "Haus am See" zeigt ein anderes Zertifikat/,
  );
  assert.deepEqual(till.arrivals, []);
});

function longAgo(id: SiteId): void {
  service.change(
    'update site_syncs set failing_since_ms = failing_since_ms - ?, synced_at_ms = null where site_id = ?',
    6 * MINUTE_MS,
    id,
  );
}

test('a webhook that keeps failing is reported to the others once, and chats without vouchers get none', async () => {
  const [heard, told] = [alarm.arrivals.length, chat.arrivals.length];
  till.behave(() => ({ status: 500 }));
  await makeVouchers(service, 1);
  for (let attempts = 1; attempts <= 7; attempts++) {
    await until(() => till.arrivals.length >= attempts);
    await until(async () => Number((await service.beside.webhooks.list())[1]?.failures) >= attempts);
    service.change("update webhooks set due_at_ms = 0 where name = 'Kasse'");
  }
  await until(() => alarm.arrivals.length === heard + 2);
  const [voucher, failing] = alarm.arrivals.slice(heard).map(({ body }) => body);
  assert.equal(voucher.type, 'voucher.created');
  assert.equal(failing.type, 'webhook.failing');
  const [, second] = await service.beside.webhooks.list();
  assert.deepEqual(failing.data, {
    webhook: 'Kasse',
    webhook_id: second?.id,
    failures: 5,
    switched_off: false,
  });
  assert.equal(chat.arrivals.length, told);
});
