// Tests the overview: it says that everything is fine, or shows each problem with a link to fix it, and counts vouchers
// by day and by site.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/domain/ids.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, signedIn, type WebClient } from './web-client.ts';

const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await signedIn(service, 'admin@example.org');
});
after(() => service.stop());

test('without problems the overview says that everything is fine', async () => {
  const { status, text } = await admin.get('/overview');
  assert.equal(status, 200);
  assert.match(text, /Alles in Ordnung/);
});

test('vouchers are counted by day and by state', async () => {
  await admin.post('/vouchers', { site: '1', name: 'Tagung', count: '5' });
  const [row] = service.rows('select id from vouchers limit 1');
  service.change(`update vouchers set used_count = 1 where id = ${row?.id}`);
  const { text } = await admin.get('/overview');
  assert.match(text, /5 Voucher in 14 Tagen/);
  assert.match(text, /data-label="unbenutzt">4</);
  assert.match(text, /data-label="aufgebraucht">1</);
  assert.match(text, /aria-label="4 unbenutzt, 0 in Benutzung, 1 aufgebraucht, 0 beendet"/);
  const bars = [...text.matchAll(/<rect class="([\w-]+)" x="([\d.]+)" width="([\d.]+)"/g)];
  assert.deepEqual(
    bars.map(([, status, x, width]) => [status, x, width]),
    [
      ['unused', '0.0', '96.0'],
      ['used-up', '96.0', '24.0'],
    ],
  );
});

test('the number above the highest bar is not cut off, and a legend explains the colours', async () => {
  const { text } = await admin.get('/overview');
  const highest = [...text.matchAll(/<text x="\d+" y="(\d+)">\d/g)].map(([, y]) => Number(y));
  assert.ok(Math.min(...highest) >= 16, `${highest}`);
  for (const state of ['unbenutzt', 'in Benutzung', 'aufgebraucht', 'beendet'])
    assert.match(text, new RegExp(`class="legend".*<span class="[\\w-]+">${state}<`));
});

test('each problem is shown with a link to fix it', async () => {
  await service.beside.syncs.noteFailure(asSiteId(1), 'no connection');
  const webhook = {
    url: 'https://chat.example/secret',
    format: 'generic',
    platform: null,
    secrets: null,
  } as const;
  const id = await service.beside.webhooks.add(webhook, { actor: TESTER, atMs: 1 });
  service.change(`update webhooks set failures = 3 where id = ${id}`);
  const { text } = await admin.get('/overview');
  assert.match(text, /Demo: Der Abgleich schlägt fehl seit/);
  assert.match(text, /href="\/sites\/1"/);
  assert.match(text, /die letzten 3 Versuche ohne Erfolg/);
  assert.match(text, new RegExp(`href="/webhooks/${id}"`));
  assert.doesNotMatch(text, /Alles in Ordnung|secret/);
  service.change(`update webhooks set failures = 0 where id = ${id}`);
  service.clock.advance(1_000);
  await service.beside.syncs.noteSuccess(asSiteId(1));
});

test('deliveries given up in the last week are shown per webhook until they are sent again', async () => {
  const [webhook] = service.rows('select id from webhooks');
  const log = new RegExp(`href="/webhooks/${webhook?.id}/deliveries"`);
  const giveUp = (id: number, daysAgo: number) =>
    service.change(`insert into deliveries
      (id, webhook_id, event_id, kind, voucher_count, site_name, source, occurred_at_ms, state, tries, finished_at_ms)
      values (${id}, ${webhook?.id}, 'e${id}', 'voucher.created', 1, 'Demo', 'Web: anna', 1, 'given-up', 10,
        ${service.clock.nowMs() - daysAgo * DAY_MS})`);
  giveUp(101, 8);
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
  giveUp(102, 6);
  giveUp(103, 1);
  const { text } = await admin.get('/overview');
  assert.match(text, /https:\/\/chat\.example\/…: in 7 Tagen 2 Nachrichten nach allen Versuchen aufgegeben/);
  assert.match(text, log);
  assert.doesNotMatch(text, /Alles in Ordnung/);
  for (const id of [102, 103]) await admin.post(`/webhooks/${webhook?.id}/deliveries/${id}/resend`, {});
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
});

test('an open intent and a site that was never synced are shown with links to the sites', async () => {
  const order = { name: 'x', maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const opened = await service.beside.vouchers.begin({
    siteId: asSiteId(1),
    siteName: 'Demo',
    order,
    actor: actorOf('test'),
  });
  assert.ok(opened.ok);
  assert.match(
    (await admin.get('/overview')).text,
    /1 Voucher ohne Antwort[^<]*<\/span><a class="mend" href="\/sites"/,
  );
  await service.beside.vouchers.abandon(opened.value);
  const site = await service.addSite('default', 'Neubau');
  const told = new RegExp(`Neubau: noch nie abgeglichen</span><a class="mend" href="/sites/${site}"`);
  assert.doesNotMatch((await admin.get('/overview')).text, told, 'a new site is not a problem yet');
  service.change(`update sites set created_at_ms = 1 where id = ${site}`);
  assert.match((await admin.get('/overview')).text, told);
  service.change(`update sites set active = 0 where id = ${site}`);
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
});
