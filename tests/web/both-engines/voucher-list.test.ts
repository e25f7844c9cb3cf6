// Tests the list of vouchers: sorting by its headings, which filters, paging and the CSV keep; finding vouchers by part
// of a code and by day; the menu of a row; the way back to the list; selecting vouchers to print; and showing whether a
// user, a key or the controller created a voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

let service: TestService;
let webClient: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
  const { text } = await webClient.get('/vouchers');
  assert.match(text, /Noch keine Voucher\./);
  assert.doesNotMatch(
    text,
    /Kein Voucher gefunden|vouchers\.csv/,
    'nothing was searched, nothing can be saved',
  );
  for (const name of ['Zimmer 12', 'Ärztin', 'Zimmer 2', 'Balkon']) {
    service.clock.advance(60_000);
    await webClient.post('/vouchers', { site: '1', name });
  }
});
after(() => service.stop());

const namesIn = (text: string) =>
  [...text.matchAll(/class="listed" [^>]+>([^<]+)</g)].map(([, name]) => name ?? '');
const linkIn = (text: string, label: string) =>
  new RegExp(`aria-sort="(\\w+)"><a class="sorter" href="([^"]+)">${label}<`).exec(text)?.slice(1) ?? [];
/** The chosen value of each menu above the list. */
const chosenIn = (text: string) =>
  [...text.matchAll(/<option value="([^"]*)" selected>/g)].map(([, value]) => value);
const plain = (href = '') => href.replaceAll('&amp;', '&');

test('a heading sorts the list, a second click reverses the order, and the heading states the order', async () => {
  const first = await webClient.get('/vouchers');
  assert.deepEqual(namesIn(first.text), ['Balkon', 'Zimmer 2', 'Ärztin', 'Zimmer 12']);
  const [time, oldest] = linkIn(first.text, 'Erstellt');
  assert.equal(time, 'descending');
  const turned = await webClient.get(plain(oldest));
  assert.deepEqual(namesIn(turned.text), ['Zimmer 12', 'Ärztin', 'Zimmer 2', 'Balkon']);
  assert.equal(linkIn(turned.text, 'Erstellt')[0], 'ascending');

  const [none, byName] = linkIn(first.text, 'Name');
  assert.equal(none, 'none');
  const sorted = await webClient.get(plain(byName));
  assert.deepEqual(namesIn(sorted.text), ['Ärztin', 'Balkon', 'Zimmer 2', 'Zimmer 12']);
  const [up, back] = linkIn(sorted.text, 'Name');
  assert.equal(up, 'ascending');
  const backwards = await webClient.get(plain(back));
  assert.deepEqual(namesIn(backwards.text), ['Zimmer 12', 'Zimmer 2', 'Balkon', 'Ärztin']);
});

test('filters, the search and the CSV keep the order of the list', async () => {
  const { text } = await webClient.get('/vouchers?q=zimmer&sort=name');
  assert.deepEqual(namesIn(text), ['Zimmer 2', 'Zimmer 12']);
  assert.match(text, /type="hidden" name="sort" value="name"/);
  const file = /href="(\/export\/vouchers\.csv[^"]+)"/.exec(text)?.[1];
  const rows = (await webClient.get(plain(file))).text.split('\r\n').slice(1, 3);
  assert.match(rows.join(), /Zimmer 2".*Zimmer 12"/s);
});

const countIn = (text: string) => /role="status">([^<]*)</.exec(text)?.[1];

test('a voucher is found by any part of its code, with or without a dash, and the results are counted', async () => {
  const all = await webClient.get('/vouchers');
  assert.equal(countIn(all.text), '4 Voucher');
  const codes = [...all.text.matchAll(/class="code">(\d{5}-\d{5})</g)].map(([, code]) => code ?? '');
  assert.equal(codes.length, 4);
  for (const [index, name] of namesIn(all.text).entries())
    for (const part of [codes[index], codes[index]?.slice(1, 10), codes[index]?.replace('-', '').slice(2)]) {
      const { text } = await webClient.get(`/vouchers?q=${part}`);
      assert.deepEqual([namesIn(text), countIn(text)], [[name], '1 Voucher'], part);
    }
  const english = await webClient.get('/vouchers?q=zimmer', { 'accept-language': 'en' });
  assert.equal(countIn(english.text), '2 vouchers');
  const none = await webClient.get('/vouchers?q=Sonnenschein');
  assert.equal(countIn(none.text), 'Kein Voucher gefunden');
});

test("the list is limited to today, yesterday or seven days of the service's time zone, beside other filters", async () => {
  const times = service.rows('select id, created_at_s from vouchers');
  const dayS = 24 * 60 * 60;
  const move = (name: string, days: number) =>
    service.change(
      `update vouchers set created_at_s = created_at_s - ${days * dayS} where name like '%' || '${name}'`,
    );
  move('Zimmer 12', 1);
  move('Ärztin', 6);
  move('Zimmer 2', 7);
  const found = async (query: string) => namesIn((await webClient.get(`/vouchers?${query}`)).text);
  assert.deepEqual(await found('created=today'), ['Balkon']);
  assert.deepEqual(await found('created=yesterday'), ['Zimmer 12']);
  assert.deepEqual(await found('created=week'), ['Balkon', 'Zimmer 12', 'Ärztin']);
  assert.deepEqual(await found('created=week&sort=name'), ['Ärztin', 'Balkon', 'Zimmer 12']);
  assert.deepEqual(await found('created=week&q=zimmer'), ['Zimmer 12']);
  assert.deepEqual(await found('created=week&state=revoked'), []);
  assert.equal((await found('created=tomorrow')).length, 4);
  const { text } = await webClient.get('/vouchers?created=week&q=zimmer');
  assert.deepEqual(chosenIn(text), ['week', '']);
  for (const { id, created_at_s } of times)
    service.change(`update vouchers set created_at_s = ${created_at_s} where id = ${id}`);
});

test('a voucher whose devices are all in use is in use: it says so, its time runs, and the filter finds it', async () => {
  const startS = Math.floor(service.clock.nowMs() / 1_000);
  const set = (usedCount: number, firstUsedAtS: number | null) =>
    service.change(
      "update vouchers set used_count = ?, first_used_at_s = ?, max_uses = 2, expire_minutes = 4320 where name like '%_Balkon'",
      usedCount,
      firstUsedAtS,
    );
  const found = async (state: string) => namesIn((await webClient.get(`/vouchers?state=${state}`)).text);
  set(1, startS);
  assert.deepEqual([await found('in-use'), await found('used-up')], [['Balkon'], []]);
  set(2, startS);
  assert.deepEqual([await found('in-use'), await found('used-up')], [['Balkon'], ['Balkon']]);
  const { text } = await webClient.get('/vouchers?state=in-use');
  assert.match(text, /class="pill used-up">.*voll belegt.*>2 \/ 2<.*>noch\s3\sTage</s);
  const [row] = service.rows("select id from vouchers where name like '%_Balkon'");
  const details = `/vouchers/${row?.id}`;
  assert.match((await webClient.get(details)).text, /Alle Geräte sind belegt\./);
  const english = await webClient.get(details, { 'accept-language': 'en' });
  assert.match(english.text, /fully in use.*All devices are in use\./s);
  const asked = await webClient.get('/vouchers/revoke?state=in-use&all=1');
  assert.match(asked.text, />1 in Benutzung</);
  set(0, null);
});

const menuIn = (text: string) => /<details class="menu".*?<\/details>/s.exec(text)?.[0] ?? '';

test('the menu of a row offers what the state of the voucher allows', async () => {
  const open = menuIn((await webClient.get('/vouchers?q=balkon')).text);
  for (const action of ['Öffnen', 'Code kopieren', 'Drucken', 'Widerrufen'])
    assert.ok(open.includes(action), action);
  assert.match(open, /<summary aria-label="Aktionen für \d{5}-\d{5}">/);
  assert.doesNotMatch(open, /batches/, 'a single voucher has no batch page of its own');
  await webClient.post('/vouchers', { site: '1', name: 'Paar', count: '2' });
  assert.match(menuIn((await webClient.get('/vouchers?q=paar')).text), /href="\/batches\/[0-9a-f-]{36}"/);
  service.change("update vouchers set ended_at_s = 1 where name like '%Paar'");
  const ended = menuIn((await webClient.get('/vouchers?q=paar')).text);
  assert.match(ended, /Öffnen/);
  assert.doesNotMatch(ended, /kopieren|Drucken|Widerrufen/);
  service.change("delete from vouchers where name like '%Paar'");
});

test('the voucher, its slip and its revocation lead back to the list with its filter', async () => {
  const filtered = '/vouchers?q=zimmer&created=today&sort=name';
  const { text } = await webClient.get(filtered);
  const back = `href="${filtered.replaceAll('&', '&amp;')}">Zurück zur Liste`;
  const links = [...menuIn(text).matchAll(/href="([^"]+)"/g)].map(([, href]) => plain(href));
  assert.equal(links.length, 3);
  const [page = '', paper = '', revoke = ''] = links;
  assert.ok((await webClient.get(page)).text.includes(back));
  assert.ok((await webClient.get(paper)).text.includes(back));
  const asked = await webClient.get(revoke);
  const action = plain(/<form method="post" action="([^"]+revoke[^"]*)"/.exec(asked.text)?.[1]);
  assert.equal(action, revoke);
  assert.ok(asked.text.includes(`href="${page}"`), 'cancelling leads to the voucher');
  assert.match(text, /type="hidden" name="from" value="q=zimmer&amp;created=today&amp;sort=name"/);
});

test('the way back leads nowhere but to our own list', async () => {
  const [row] = service.rows('select id from vouchers limit 1');
  for (const from of [
    '//evil.example',
    'https://evil.example/?q=1',
    '/login',
    'next=https://evil.example',
    '%00',
  ]) {
    const { text } = await webClient.get(`/vouchers/${row?.id}?from=${encodeURIComponent(from)}`);
    assert.doesNotMatch(text, /href="[^"]*evil|Zurück zur Liste/, from);
  }
  const { text } = await webClient.get(`/vouchers/${row?.id}?from=${encodeURIComponent('q="><script>&x=1')}`);
  assert.match(text, /href="\/vouchers\?q=%22%3E%3Cscript%3E">/);
});

test('an unknown order means the default order, and an invalid page position means the first page', async () => {
  for (const query of [
    'sort=password_hash',
    'sort=name-back%27',
    'after=x',
    'after=1',
    'after=-1.5',
    'q=%00',
  ])
    assert.deepEqual(
      namesIn((await webClient.get(`/vouchers?${query}`)).text),
      ['Balkon', 'Zimmer 2', 'Ärztin', 'Zimmer 12'],
      query,
    );
  for (const id of ['1.5', '1e300', 'Infinity', '0x1', '%00'])
    assert.equal((await webClient.get(`/vouchers/${id}`)).status, 404, id);
});

test('selected vouchers are printed without JavaScript, and each checkbox names its voucher', async () => {
  const { text } = await webClient.get('/vouchers?sort=name');
  const ids = [...text.matchAll(/name="voucher" value="(\d+)"/g)].map(([, id]) => id ?? '');
  assert.equal(ids.length, 4);
  const codes = [...text.matchAll(/Voucher (\d{5}-\d{5}) auswählen/g)].map(([, code]) => code ?? '');
  assert.match(text, /<form method="get" action="\/vouchers\/print"/);
  const paper = await webClient.get(`/vouchers/print?voucher=${ids[0]}&voucher=${ids[2]}`);
  assert.equal(paper.status, 200);
  assert.deepEqual(
    codes.map((code) => paper.text.includes(code)),
    [true, false, true, false],
  );
});

test('an ended voucher is not offered for printing', async () => {
  const [row] = service.rows("select id from vouchers where name like '%Balkon'");
  service.change(`update vouchers set ended_at_s = 1 where id = ${row?.id}`);
  const { text } = await webClient.get('/vouchers');
  assert.doesNotMatch(text, new RegExp(`name="voucher" value="${row?.id}"`));
  assert.doesNotMatch((await webClient.get(`/vouchers/${row?.id}`)).text, /vouchers\/print/);
});

test('the list, the page and the CSV name the user, key, command or controller that created a voucher', async () => {
  const key = (
    await service.beside.issueKey(
      { name: 'Buchung', scope: 'write', rateLimit: 0 },
      { actor: TESTER, atMs: service.clock.nowMs() },
    )
  ).keyText;
  await service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'Von der Buchung' } });
  const foreign = { name: 'Fremd', code: '5555555555', controllerVoucherId: 'foreign', usedCount: 0 };
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const upstream = { ...foreign, ...limits, createdAtMs: service.clock.nowMs(), firstUsedAtMs: null };
  const [site] = await service.beside.sites.list();
  assert.ok(site);
  await service.beside.usage.importForeign(site.id, [upstream]);
  service.change("update vouchers set source = null, owner_user_id = null where name like '%Ärztin'");
  service.change("update vouchers set source = 'CLI: root', owner_user_id = null where name like '%Balkon'");
  for (const [name, by, inFile = by] of [
    ['Zimmer 2', 'anna'],
    ['Von der Buchung', 'API: Buchung'],
    ['Balkon', 'root (Befehlszeile)', 'CLI: root'],
    ['Fremd', 'auf der Konsole erstellt', 'auf dem Controller erstellt'],
    ['Ärztin', 'API oder Konsole', 'API oder Controller'],
  ] as [string, string, string?][]) {
    const query = `q=${encodeURIComponent(name)}`;
    const { text } = await webClient.get(`/vouchers?${query}`);
    const shown = RegExp.escape(by);
    assert.match(text, new RegExp(`class="made-of">[^<]+<span class="sub">${shown}<`), name);
    const page = /href="(\/vouchers\/\d+)\?from=/.exec(text)?.[1] ?? '';
    assert.match((await webClient.get(page)).text, new RegExp(`Erstellt von</dt><dd>${shown}<`), name);
    assert.match(
      (await webClient.get(`/export/vouchers.csv?${query}`)).text,
      new RegExp(`,"${inFile}","",""\r\n`),
      name,
    );
  }
});

test('with many sites, the list can be sorted by name only if it is limited to a site', async () => {
  for (let made = 0; made < 20; made++) await service.addSite('default', `Haus ${made}`);
  const { text } = await webClient.get('/vouchers?sort=name');
  assert.deepEqual([linkIn(text, 'Name'), linkIn(text, 'Erstellt')[0]], [[], 'descending']);
  assert.equal(linkIn((await webClient.get('/vouchers?sort=name&site=1')).text, 'Name')[0], 'ascending');
});
