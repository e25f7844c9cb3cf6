// Tests the overview: it says that everything is fine, or shows each problem with a button to fix it, and counts
// vouchers by day and by site. The menu of administrators shows the number of problems.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { COUNT_KEPT_MS } from '../../src/kernel/overview/find-concerns.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { insertDelivery } from '../support/delivery-rows.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const DAY_MS = 24 * 60 * 60_000;

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
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
  assert.match(text, /5 Voucher in 14\u00a0Tagen/);
  assert.match(text, /href="\/vouchers\?created=today"><strong>5<\/strong><span>heute erstellt/);
  assert.match(text, /href="\/vouchers\?state=unused"><strong>4<\/strong><span>unbenutzt/);
  assert.match(
    text,
    /href="\/vouchers\?state=in-use"><strong>1<\/strong><span>in Benutzung/,
    'all its devices',
  );
  assert.match(text, /href="#problems"><strong>0<\/strong><span>Störungen/);
  assert.equal(text.match(/class="column"/g)?.length, 1, 'days without vouchers have no column');
  assert.match(text, /data-label="unbenutzt">4</);
  assert.match(text, /data-label="in Benutzung">1</);
  assert.match(text, /aria-label="4 unbenutzt, 1 in Benutzung, 0 beendet"/);
  const bars = [...text.matchAll(/<rect class="([\w-]+)" x="([\d.]+)" width="([\d.]+)"/g)];
  assert.deepEqual(
    bars.map(([, status, x, width]) => [status, x, width]),
    [
      ['unused', '0.0', '96.0'],
      ['in-use', '96.0', '24.0'],
    ],
  );
});

test('the number above the highest bar is not cut off, and a legend explains the colours', async () => {
  const { text } = await admin.get('/overview');
  const highest = [...text.matchAll(/<text x="[\d.]+%" y="(\d+)">\d/g)].map(([, y]) => Number(y));
  assert.ok(Math.min(...highest) >= 16, `${highest}`);
  for (const state of ['unbenutzt', 'in Benutzung', 'beendet'])
    assert.match(text, new RegExp(`class="legend".*<span class="[\\w-]+">${state}<`));
});

/** The badges of the menu: the number of problems, or nothing. */
const badges = (text: string) =>
  [...text.matchAll(/class="badge" id="[\w-]+" data-part>(\d*)/g)].map(([, count]) => count);

test('each problem is shown with a button to fix it, and counted in the menu of administrators', async () => {
  await service.beside.syncs.noteFailure(asSiteId(1), 'no connection', 'nobody-answers');
  const webhook = {
    url: 'https://chat.example/secret',
    name: 'Kasse',
    format: 'generic',
    platform: null,
    secrets: null,
  } as const;
  const id = await service.beside.webhooks.add(webhook, { actor: TESTER, atMs: 1 });
  service.change(`update webhooks set failures = 3 where id = ${id}`);
  const { text } = await admin.get('/overview');
  const problems = /<div id="problems".*?<\/div>\s*<ul class="tiles"/s.exec(text)?.[0] ?? '';
  assert.match(problems, /Demo: Die Konsole antwortet nicht.*href="\/sites\/1">Standort ansehen/s);
  assert.match(problems, /Webhook Kasse: Die letzten 3 Versuche sind fehlgeschlagen/);
  assert.match(problems, new RegExp(`href="/webhooks/${id}/deliveries">Zustellungen ansehen`));
  assert.match(text, /class="tile bad" href="#problems"><strong>2</);
  assert.doesNotMatch(text, /Alles in Ordnung|secret/);
  assert.deepEqual(badges(text), ['2', '2']);
  service.clock.advance(COUNT_KEPT_MS);
  assert.deepEqual(badges((await admin.get('/keys')).text), ['2', '2'], 'on every page');

  const connection = {
    url: 'https://192.0.2.1',
    credentials: { apiKey: 'x' },
    trust: { kind: 'ca' },
  } as const;
  const place = {
    name: 'Haus B',
    active: true,
    controllerKind: 'unifi' as const,
    controllerSite: 'default',
    connection,
  };
  const other = await service.beside.sites.add(place, { actor: TESTER, atMs: 1 });
  const compared = new RegExp(
    `Haus B: [^<]*Zertifikat.*action="/sites/${other}/access".*name="url" value="${connection.url}">.*Zertifikat prüfen`,
    's',
  );
  for (const cause of ['other-certificate', 'unvouched-certificate'] as const) {
    await service.beside.syncs.noteFailure(other, 'another one', cause);
    assert.match((await admin.get('/overview')).text, compared, cause);
  }
  const home = (await admin.get('/')).text;
  assert.match(home, /2 Standorte sind gestört, zum Beispiel \S+\. [^<]* <a href="\/overview">/);
  assert.equal(home.split('class="note warn"').length, 2, 'one note, however many sites fail');
  service.change(`update sites set active = 0 where id = ${other}`);
  await addUser(service, 'empfang@example.org', 'operator');
  const operator = await loggedIn(service, 'empfang@example.org');
  assert.deepEqual(badges((await operator.get('/vouchers')).text), ['']);

  service.change(`update webhooks set failures = 0 where id = ${id}`);
  service.clock.advance(1_000);
  await service.beside.syncs.noteSuccess(asSiteId(1));
  assert.deepEqual(badges((await admin.get('/overview')).text), ['', '']);
});

test('equal problems are folded into one line, which opens to one line for each site', async () => {
  const ids = await Promise.all(
    ['Haus C', 'Haus D', 'Haus E'].map((name) => service.addSite('default', name)),
  );
  const fail = (id: number, cause: 'nobody-answers' | 'too-slow') =>
    service.beside.syncs.noteFailure(asSiteId(id), 'no answer', cause);
  const folds = async () => [
    ...(await admin.get('/overview')).text.matchAll(/<details><summary class="folded">.*?<\/details>/gs),
  ];
  for (const id of ids) await fail(id, id === ids[2] ? 'too-slow' : 'nobody-answers');
  assert.deepEqual(await folds(), [], 'two equal problems and another one');
  for (const id of ids) await fail(id, 'nobody-answers');
  const [[fold = ''] = [], ...others] = await folds();
  assert.deepEqual(others, []);
  assert.match(
    fold,
    /3 Standorte: Die Konsole antwortet nicht<.*Haus C, Haus D und Haus E<.*Einzeln zeigen/s,
  );
  assert.equal(fold.split('Adresse und Port prüfen').length, 2, 'the advice stands once');
  for (const id of ids) assert.ok(fold.includes(`<a class="button mend" href="/sites/${id}">`));
  service.change(`update sites set active = 0 where id in (${ids.join(', ')})`);
});

test('reading the number of problems costs nothing for ten seconds', async () => {
  service.clock.advance(COUNT_KEPT_MS);
  assert.deepEqual(badges((await admin.get('/keys')).text), ['', '']);
  service.change('update webhooks set failures = 1');
  assert.deepEqual(badges((await admin.get('/keys')).text), ['', '']);
  service.clock.advance(COUNT_KEPT_MS);
  assert.deepEqual(badges((await admin.get('/keys')).text), ['1', '1']);
  service.change('update webhooks set failures = 0');
});

test('a page that refreshes itself does not keep its session alive', async () => {
  const seen = () => service.rows('select max(seen_at_ms) as at from web_sessions')[0]?.at;
  const before = seen();
  service.clock.advance(10 * 60_000);
  const { status, headers } = await admin.get('/overview', { 'x-refresh': '1' });
  assert.deepEqual([status, seen()], [200, before]);
  assert.match(headers.get('content-security-policy') ?? '', /connect-src 'self'/);
  await admin.get('/overview');
  assert.notEqual(seen(), before);
});

test('deliveries given up in the last week are shown per webhook until they are sent again', async () => {
  const [webhook] = service.rows('select id from webhooks');
  const log = new RegExp(`href="/webhooks/${webhook?.id}/deliveries"`);
  const giveUp = (id: number, daysAgo: number) =>
    service.change(
      insertDelivery({
        id,
        webhook: Number(webhook?.id),
        state: 'failed',
        attempts: 10,
        finishedAtMs: service.clock.nowMs() - daysAgo * DAY_MS,
      }),
    );
  giveUp(101, 8);
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
  giveUp(102, 6);
  giveUp(103, 1);
  const { text } = await admin.get('/overview');
  assert.match(
    text,
    /Webhook Kasse: Nachrichten kamen nicht an.*In den letzten 7\u00a0Tagen ließen sich 2 Nachrichten auch nach mehreren Versuchen nicht zustellen/,
  );
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
    /Hinweise.*Bei 1 Voucher steht die Antwort[^<]*<\/div><a class="button mend" href="\/sites"/s,
  );
  await service.beside.vouchers.abandon(opened.value);
  const site = await service.addSite('default', 'Neubau');
  const told = new RegExp(
    `Neubau: noch nie abgeglichen</strong></div><a class="button mend" href="/sites/${site}"`,
  );
  assert.doesNotMatch((await admin.get('/overview')).text, told, 'a new site is not a problem yet');
  service.change(`update sites set created_at_ms = 1 where id = ${site}`);
  service.change('update instances set started_at_ms = 1');
  assert.match((await admin.get('/overview')).text, told);
  service.change(`update sites set active = 0 where id = ${site}`);
  assert.match((await admin.get('/overview')).text, /Alles in Ordnung/);
});

test('expired vouchers that are still on a console are shown with what to do about them', async () => {
  const problems = async () =>
    /<div id="problems".*?<\/section>/s.exec((await admin.get('/overview')).text)?.[0];
  service.change('update vouchers set ends_at_s = 1 where id = (select min(id) from vouchers)');
  assert.match(
    (await problems()) ?? '',
    /Demo: ein abgelaufener Voucher ist.*prüfen, ob die Konsole erreichbar ist.*href="\/sites\/1">Standort ansehen/s,
  );
  const deletions = { endedVouchers: { sinceRunningMs: 0, rows: 0, deleted: 1_000 } };
  service.change(`insert into settings (name, value) values ('deletions', '${JSON.stringify(deletions)}')`);
  assert.match(
    (await problems()) ?? '',
    /Tagesgrenze erreicht.*„Ohne Grenze löschen“.*href="\/settings#retention">Aufbewahrung ansehen/s,
  );
});
