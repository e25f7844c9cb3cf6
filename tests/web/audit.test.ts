// Tests the audit log in the web interface: actor and action of each entry, filters, paging, and the CSV, in which no
// name becomes a formula.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/kernel/ids.ts';
import { MESSAGES } from '../../src/kernel/texts/messages.ts';
import { calendarDate } from '../../src/platform/time/calendar-date.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

const MAX_EXPORTED = 10_000;
let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

function write(actor: string, subject: string, action = 'test.done'): void {
  const values = [actor, action, subject].map((text) => `'${text.replaceAll("'", "''")}'`);
  service.change(
    `insert into audit (at_ms, actor, action, subject) values (${service.clock.nowMs()}, ${values.join(', ')})`,
  );
}
const rowsIn = (text: string) => text.split('<tbody>')[1]?.match(/<tr>/g)?.length ?? 0;

/** The sentences of the page, without markup. */
const sentencesIn = (text: string) =>
  [...text.matchAll(/data-label="(?:Was ist passiert|What happened)\?"><span>(.*?)<\/span><\/td>/gs)].map(
    ([, sentence = '']) => sentence.replace(/<[^>]+>/g, '').replaceAll('&quot;', '"'),
  );
const inEnglish = { 'accept-language': 'en' };

test('an action is told as a sentence in the language of the reader, with links to what still exists', async () => {
  await admin.post('/keys', { name: 'Kasse', scope: 'read' });
  const [key] = service.rows("select id from api_keys where name = 'Kasse'");
  const [anna] = service.rows("select id from users where name = 'anna'");
  const { text } = await admin.get('/audit');
  assert.ok(
    text.includes(
      `<a href="/users/${anna?.id}">anna</a> hat den API-Schlüssel <a href="/keys/${key?.id}">„Kasse“</a> erstellt`,
    ),
  );
  const english = await admin.get('/audit', inEnglish);
  assert.ok(sentencesIn(english.text).includes('anna created the API key “Kasse”'));
  await admin.post(`/keys/${key?.id}/revoke`, {});
  const after = (await admin.get('/audit')).text;
  assert.ok(sentencesIn(after).includes('anna hat den API-Schlüssel „Kasse“ widerrufen'));
  assert.ok(!after.includes(`href="/keys/${key?.id}"`), 'a revoked key has no page');
  const [entry] = service.rows("select actor_id from audit where action = 'key.created' order by id desc");
  assert.equal(entry?.actor_id, String(anna?.id));
});

test('a revoked voucher is told with its code and its site, and is found by the code', async () => {
  const made = await admin.post('/vouchers', { site: '1', name: 'Zimmer 9' });
  await admin.get(made.location ?? '');
  const [voucher] = service.rows('select id, code from vouchers order by id desc limit 1');
  await admin.post(`/vouchers/${voucher?.id}/revoke`, {});
  const code = String(voucher?.code).replace(/(.{5})/, '$1-');
  for (const typed of [code, String(voucher?.code)]) {
    const { text } = await admin.get(`/audit?q=${typed}`);
    assert.deepEqual(sentencesIn(text), [
      `anna hat Voucher ${code} (Demo) widerrufen`,
      'anna hat einen Voucher „Zimmer 9“ (Demo) erstellt',
    ]);
    assert.match(text, new RegExp(`<a href="/vouchers/${voucher?.id}"><span class="whole">${code}`));
    assert.ok(text.includes(`<a href="${made.location}">`), 'the batch');
  }
});

test('entries of every kind and release are told without codes of the program, in both languages', async () => {
  const siteId = await service.addSite('default', 'Haus A');
  const userId = await addUser(service, 'ben@example.org', 'operator');
  for (const [action, subject, german, english] of [
    [
      'voucher.revoked',
      'voucher 99999 of site 2',
      'Rita hat Voucher Nr. 99999 (Haus A) widerrufen',
      'Rita revoked voucher no. 99999 (Haus A)',
    ],
    [
      'voucher.created',
      'site 1 (Altbau): 60 vouchers, Tagung',
      'Rita hat 60 Voucher „Tagung“ (Altbau) erstellt',
      'Rita created 60 vouchers “Tagung” (Altbau)',
    ],
    [
      'voucher.printed',
      'vouchers 91, 92 and 5 more',
      'Rita hat 7 Voucher zum Drucken geöffnet',
      'Rita opened 7 vouchers for printing',
    ],
    [
      'voucher.printed',
      `batch b1 of site ${siteId} (Haus A): 60 vouchers, Tagung`,
      'Rita hat 60 Voucher „Tagung“ (Haus A) zum Drucken geöffnet',
      'Rita opened 60 vouchers “Tagung” (Haus A) for printing',
    ],
    [
      'voucher.saved',
      'vouchers 91, 92',
      'Rita hat 2 Voucher als PDF gespeichert',
      'Rita saved 2 vouchers as PDF',
    ],
    [
      'user.invited',
      `user ${userId} (ben@example.org): operator`,
      `Rita hat ben@example.org eingeladen (Rolle: ${MESSAGES.de.admin.users.operator})`,
      `Rita invited ben@example.org (role: ${MESSAGES.en.admin.users.operator})`,
    ],
    [
      'installation.set-up',
      'user 1 (anna@example.org), site 1 (Demo), key k1',
      'Gastpass eingerichtet: anna@example.org, Demo, Schlüssel k1',
      'Gastpass set up: anna@example.org, Demo, key k1',
    ],
    [
      'user.changed',
      `user ${userId} (ben@example.org): {"siteIds":[${siteId}],"role":"operator"}`,
      `Rita hat den Benutzer ben@example.org geändert: Standorte: Haus A; Rolle: ${MESSAGES.de.admin.users.operator}`,
      `Rita changed the user ben@example.org: sites: Haus A; role: ${MESSAGES.en.admin.users.operator}`,
    ],
    [
      'user.changed',
      'ben@example.org: {"active":false}',
      'Rita hat das Konto von ben@example.org deaktiviert',
      'Rita switched the account of ben@example.org off',
    ],
    [
      'site.changed',
      `site ${siteId} (Haus A): activated`,
      'Rita hat den Standort Haus A aktiviert',
      'Rita activated the site Haus A',
    ],
    [
      'site.changed',
      `site ${siteId} (Haus B): name, importsForeign`,
      'Rita hat den Standort Haus B geändert: Name; fremde Voucher anzeigen',
      'Rita changed the site Haus B: name; show vouchers created by others',
    ],
    [
      'settings.changed',
      '{"keepAuditDays":null,"secondFactorFor":"admins","isApiPageOpen":false}',
      'Rita hat die Einstellungen geändert: Protokoll aufbewahren (Tage): unbegrenzt; Zwei-Faktor-Anmeldung Pflicht für: die Verwaltung; API-Dokumentation öffentlich: nein',
      'Rita changed the settings: keep the audit log (days): forever; two-factor sign-in required for: administrators; API documentation public: no',
    ],
    [
      'single-sign-on.changed',
      '{"rules":[{"id":"x"}]}',
      'Rita hat Single Sign-on geändert: Regeln',
      'Rita changed single sign-on: rules',
    ],
    [
      'key.changed',
      'k1: {"sites":"all","expires":"2026-12-31T23:00:00.000Z"}',
      'Rita hat den API-Schlüssel „k1“ geändert: Standorte: alle; gültig bis: 31.12.2026',
      'Rita changed the API key “k1”: sites: all; valid until: 31\u00a0Dec\u00a02026',
    ],
    [
      'audit.exported',
      'entries: 1',
      'Rita hat das Protokoll als CSV gespeichert (1 Eintrag)',
      'Rita saved the audit log as CSV (1 entry)',
    ],
    [
      'retention.applied',
      'vouchers: 1, batches: 2, audit: 1',
      'Alte Daten automatisch gelöscht: 1 Voucher, 2 Stapel, 1 Protokolleintrag',
      'Old data deleted automatically: 1 voucher, 2 batches, 1 audit entry',
    ],
    ['door.opened', '{"by":"hand"}', 'Rita: door.opened (by: „hand“)', 'Rita: door.opened (by: “hand”)'],
    [
      'voucher.revoked',
      'all of them',
      'Rita: Voucher widerrufen (all of them)',
      'Rita: Voucher revoked (all of them)',
    ],
  ] as const) {
    write('Web: Rita', subject, action);
    assert.equal(sentencesIn((await admin.get('/audit')).text)[0], german);
    assert.equal(sentencesIn((await admin.get('/audit', inEnglish)).text)[0], english);
  }
  for (const [actor, german] of [
    ['API: Tür', 'API-Schlüssel „Tür“ hat den Standort Haus A entfernt'],
    ['CLI: root', 'root (Befehlszeile) hat den Standort Haus A entfernt'],
    ['Set-up', 'Die Ersteinrichtung hat den Standort Haus A entfernt'],
    ['Robot', 'Robot hat den Standort Haus A entfernt'],
  ] as const) {
    write(actor, `site ${siteId} (Haus A)`, 'site.removed');
    assert.equal(sentencesIn((await admin.get('/audit')).text)[0], german);
  }
});

test('a hostile name is told as it is, and does not change what the sentence says', async () => {
  const by = { actor: TESTER, atMs: service.clock.nowMs() };
  const names = ['x): activated', 'x): site 1 (Demo', '"; {who} {site}', '{"role":"admin"}', 'ß)'.repeat(20)];
  for (const name of names) {
    const site = await service.addSite('default', 'Nebenhaus');
    await service.beside.sites.change(asSiteId(site), { name }, by);
    const made = await admin.post('/vouchers', { site: String(site), name: '3 vouchers, y' });
    await admin.get(made.location ?? '');
    const { text } = await admin.get(`/audit?site=${site}`);
    assert.deepEqual(
      sentencesIn(text).map((sentence) => sentence.replaceAll('&#39;', "'")),
      [
        `anna hat einen Voucher „3 vouchers, y“ (${name}) erstellt`,
        `${TESTER.name} (Befehlszeile) hat den Standort ${name} geändert: Name`,
        `${TESTER.name} (Befehlszeile) hat den Standort Nebenhaus eingerichtet`,
      ],
    );
  }
});

test('a failed sign-in names the account that was tried', async () => {
  await makeWebClient(service).login('anna@example.org', 'falsch');
  const { text } = await admin.get('/audit?action=user.sign-in-failed');
  assert.deepEqual(sentencesIn(text), ['Anmeldung als anna@example.org fehlgeschlagen: falsches Passwort']);
});

test('every action over the network is logged with its IP address, and can be found by it', async () => {
  const far = { 'x-forwarded-for': '192.0.2.44' };
  const made = await admin.post('/vouchers', { site: '1', name: 'Zimmer 4' }, far);
  await admin.get(made.location ?? '');
  await admin.post('/keys', { name: 'Theke', scope: 'write', limit: '0' }, far);
  await admin.post(
    '/users/add',
    { email: 'b@example.org', name: 'Berta', role: 'operator', 'site-1': '1' },
    far,
  );
  await admin.post('/webhooks/add', { url: 'https://example.org/', format: 'generic' }, far);
  await admin.post('/profiles', { name: 'Tag', uses: '1', duration: '1', unit: 'days' }, far);
  await admin.post('/settings', { title: 'Haus', language: '', api: 'open' }, far);
  const [voucher] = service.rows('select max(id) as id from vouchers');
  await admin.post(`/vouchers/${voucher?.id}/revoke`, {}, far);
  await service.call('POST', 'vouchers.php', { headers: far, body: { site_id: 1, name: 'x' } });
  const here = service.rows("select action from audit where address = '192.0.2.44' order by id");
  assert.deepEqual(
    here.map(({ action }) => action),
    [
      'voucher.created',
      'key.created',
      'user.invited',
      'webhook.added',
      'profile.added',
      'settings.changed',
      'voucher.revoked',
      'voucher.created',
    ],
  );
  assert.equal(rowsIn((await admin.get('/audit?q=192.0.2.44')).text), here.length);
  assert.match(
    (await admin.get('/audit/export.csv?q=192.0.2.44')).text,
    /,"192\.0\.2\.44","anna hat[^"]+"\r\n/,
  );
  const [entry] = service.rows("select address from audit where action = 'user.signed-in'");
  assert.equal(entry?.address, '127.0.0.1');
});

test('entries are filtered by text, user, site, kind and day, alone and combined', async () => {
  const berta = await addUser(service, 'berta2@example.org', 'admin');
  const site = await service.addSite('default', 'Anbau');
  write('Web: berta2', 'Zimmer 7');
  write('CLI: root', 'Zimmer 7', 'key.revoked');
  write('Unknown', `user ${berta} (berta2@example.org)`, 'user.sign-in-failed');
  write('CLI: root', `voucher 1 of site ${site} (Anbau)`, 'voucher.revoked');
  const today = calendarDate(service.clock.nowMs(), service.config.timeZone);
  const tomorrow = calendarDate(service.clock.nowMs() + 24 * 60 * 60_000, service.config.timeZone);
  for (const [query, expected] of [
    ['q=zimmer+7', 2],
    ['q=berta2%40', 2],
    [`who=user-${berta}`, 3],
    ['who=user-999999&q=zimmer+7', 2],
    [`q=zimmer+7&who=user-${berta}`, 1],
    ['q=zimmer+7&action=key.revoked', 1],
    ['q=zimmer+7&action=key.', 1],
    [`who=user-${berta}&action=key.revoked`, 0],
    [`site=${site}`, 2],
    [`site=${site}&from=${today}&until=${today}`, 2],
    [`site=${site}&from=${tomorrow}`, 0],
    [`site=${site}&until=2020-01-01`, 0],
    [`site=${site}&q=WIDERRUFEN`, 1],
    ['q=%25', 0],
  ] as const) {
    const { status, text } = await admin.get(`/audit?${query}`);
    assert.equal(status, 200, query);
    assert.equal(rowsIn(text), expected, query);
  }
  assert.equal(
    (await admin.get('/audit?q=%00&who=%00&action=%00&site=x&from=2026-13-45&until=%00&before=x')).status,
    200,
  );
  const { text } = await admin.get('/audit?q=gibt-es-nicht&action=%22%3E%3Cscript%3E');
  assert.match(text, /Nichts gefunden/);
  assert.ok(!text.includes('"><script>'));
});

test('the details of an entry begin with its user or key, as the filters expect', () => {
  const isMisplaced = (noun: string) => `action like '${noun}.%' and details not like '{"${noun}":{"id":%'`;
  const where = `(${isMisplaced('user')}) or (${isMisplaced('key')})`;
  assert.deepEqual(service.rows(`select action, details from audit where ${where}`), []);
  assert.notEqual(service.rows('select 1 from audit where details like \'{"user":%\'').length, 0);
});

test('paging neither skips nor repeats an entry, and keeps the filter', async () => {
  for (let number = 0; number < 120; number++) write('Web: Seiten', `Eintrag Nr. ${number};`);
  const seen: string[] = [];
  for (let path: string | undefined = '/audit?q=seiten'; path; ) {
    const { text }: { text: string } = await admin.get(path);
    seen.push(...[...text.matchAll(/Eintrag Nr\. (\d+);/g)].map(([, number]) => number ?? ''));
    path = /href="([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual(
    seen.map(Number),
    Array.from({ length: 120 }, (_, index) => 119 - index),
  );
});

test('the CSV has one line per entry, and no cell that a spreadsheet takes for a formula', async () => {
  for (const sign of ['=', '+', '-', '@', '\t=']) write(`${sign}cmd|' /C calc'!A0`, `${sign}1+1, "x"`);
  const { status, headers, text } = await admin.get('/audit/export.csv?q=1%2B1');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="gastpass-audit-[\d-]+\.csv"$/,
  );
  const lines = text.replace(/^\ufeff/, '').split('\r\n');
  assert.equal(lines[0], '"time","actor","action","subject","address","sentence"');
  const signs = lines.slice(1, -1).map((line) => /^"[\d-]+T[\d:.]+Z","'(\t?.)cmd.*","'\1?/.exec(line)?.[1]);
  assert.deepEqual(signs.toReversed(), ['=', '+', '-', '@', '\t=']);
  assert.ok(text.includes(`"'=1+1, ""x"""`));
  assert.doesNotMatch(text, /"[=+\-@\t]/);
  const [entry] = service.rows(
    "select subject from audit where action = 'audit.exported' order by id desc limit 1",
  );
  assert.equal(entry?.subject, 'entries: 5', 'the export itself is in the audit log');
});

test('the CSV contains at most the newest ten thousand entries', async () => {
  const digits =
    '(select 0 as n union all select 1 union all select 2 union all select 3 union all select 4)';
  const from = Array.from({ length: 7 }, (_, index) => `${digits} as d${index}`).join(', ');
  service.change(
    `insert into audit (at_ms, actor, action, subject) select 1, 'Viele', 'test.done', 'x' from ${from}`,
  );
  write('Web: anna', 'der letzte');
  const { text } = await admin.get('/audit/export.csv');
  const lines = text.split('\r\n').slice(1, -1);
  assert.equal(lines.length, MAX_EXPORTED);
  assert.match(lines[0] ?? '', /der letzte/);
});

test('old entries are found by continuing the search, and the CSV contains them at once', async () => {
  const near = await admin.get('/audit?q=Kasse');
  assert.equal(rowsIn(near.text), 0);
  const further = /href="([^"]*before=[^"]*)">Weiter zurück suchen/.exec(near.text)?.[1];
  const far = await admin.get((further ?? '').replaceAll('&amp;', '&'));
  assert.equal(rowsIn(far.text), 1);
  const { text } = await admin.get('/audit/export.csv?q=Kasse');
  assert.equal(text.split('\r\n').length, 3);
});
