// Tests the list of vouchers: sorting by its headings, which filters, paging and the CSV keep; selecting vouchers to
// print; and showing whether a user, a key or the controller created a voucher.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, signedIn, type WebClient } from '../web-client.ts';

let service: TestService;
let webClient: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  webClient = await signedIn(service, 'anna@example.org');
  for (const name of ['Zimmer 12', 'Ärztin', 'Zimmer 2', 'Balkon']) {
    service.clock.advance(60_000);
    await webClient.post('/vouchers', { site: '1', name });
  }
});
after(() => service.stop());

const namesIn = (text: string) =>
  [...text.matchAll(/class="name-of">([^<]+)</g)].map(([, name]) => name ?? '');
const linkIn = (text: string, label: string) =>
  new RegExp(`aria-sort="(\\w+)"><a class="sorter" href="([^"]+)">${label}<`).exec(text)?.slice(1) ?? [];
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
  assert.match(text, /href="\/vouchers\?q=zimmer&amp;sort=name&amp;state=used-up"/);
  assert.match(text, /type="hidden" name="sort" value="name"/);
  const file = /href="(\/export\/vouchers\.csv[^"]+)"/.exec(text)?.[1];
  const rows = (await webClient.get(plain(file))).text.split('\r\n').slice(1, 3);
  assert.match(rows.join(), /Zimmer 2".*Zimmer 12"/s);
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

test('the list, the page and the CSV name the user, key or controller that created a voucher', async () => {
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
  for (const [name, by] of [
    ['Zimmer 2', 'anna'],
    ['Von der Buchung', 'API: Buchung'],
    ['Fremd', 'am Controller erstellt'],
    ['Ärztin', 'API oder Controller'],
  ] as const) {
    const query = `q=${encodeURIComponent(name)}`;
    const { text } = await webClient.get(`/vouchers?${query}`);
    assert.match(text, new RegExp(`class="made-of">[^<]+<span class="sub">${by}<`), name);
    const page = /href="(\/vouchers\/\d+)"/.exec(text)?.[1] ?? '';
    assert.match((await webClient.get(page)).text, new RegExp(`Erstellt von</dt><dd>${by}<`), name);
    assert.match(
      (await webClient.get(`/export/vouchers.csv?${query}`)).text,
      new RegExp(`,"${by}"\r\n`),
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
