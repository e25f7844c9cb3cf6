// Tests creating vouchers in the web interface: one or many, once however often the form is sent, with their owner,
// with one notification per batch, and with an accurate page when the controller fails midway.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../../support/actors.ts';
import { continueBatches } from '../../support/continue-batches.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

let service: TestService;
let webClient: WebClient;
let userId: number;
before(async () => {
  service = await startTestService({ webhook: true });
  userId = await addUser(service, 'anna@example.org', 'admin');
  webClient = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);

test('a site and a name are enough for a voucher, and its page shows the code', async () => {
  const { status, location } = await webClient.post('/vouchers', { site: '1', name: ' Zimmer 12 ' });
  assert.equal(status, 303);
  const [row] = service.rows('select * from vouchers order by id desc limit 1');
  assert.partialDeepStrictEqual({ ...row }, { max_uses: 1, expire_minutes: 480, owner_user_id: userId });
  assert.match(String(row?.name), /^\d{4}-\d\d-\d\d_Zimmer 12$/);
  const page = await webClient.get(location ?? '');
  assert.ok(page.text.includes(String(row?.code).replace(/^(.{5})/, '$1-')));
  assert.match(page.text, /Noch einen/);
});

test('the form preselects the site of the last voucher, as long as the site is active', async () => {
  const site = await service.addSite('default', 'Nebenhaus');
  const [made] = [await webClient.post('/vouchers', { site: String(site), name: 'Dort' })];
  assert.match(
    made.headers.get('set-cookie') ?? '',
    /^last-site=\d+; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax, last-choices=/,
  );
  const chosen = async (path = '/') => / value="(\d+)" selected/.exec((await webClient.get(path)).text)?.[1];
  assert.equal(await chosen(), String(site));
  assert.equal(await chosen('/?site=1'), '1', 'a site in the URL takes precedence');
  service.change(`update sites set active = 0 where id = ${site}`);
  await service.addSite('default', 'Drittes Haus');
  assert.equal(await chosen(), '1');
  service.change(`update sites set active = 1 where id = ${site}`);
});

test('the home page shows a batch as one line among the newest vouchers', async () => {
  const lines = async () =>
    [
      ...(await webClient.get('/')).text.matchAll(
        /<li><a class="listed" href="([^"]+)".*?<span class="what">(?:<span[^>]*>)?([^<]+)</gs,
      ),
    ].map(([, href, what]) => ({ href, what }));
  const before = await lines();
  const { location } = await webClient.post('/vouchers', { site: '1', name: 'Ausflug', count: '10' });
  const id = location?.split('/').at(-1);
  await webClient.post('/vouchers', { site: '1', name: 'Danach' });
  service.change(`update vouchers set used_count = 1 where id in (
    select id from vouchers where batch_id = '${id}' order by id limit 3)`);
  const [single, batch, ...older] = await lines();
  assert.match(single?.href ?? '', /^\/vouchers\/\d+$/);
  assert.deepEqual(batch, { href: location, what: '10 Voucher' });
  assert.deepEqual(older, before);
  assert.match((await webClient.get('/')).text, />Ausflug<.*?3 von 10 benutzt/s);
});

test('a batch counts vouchers whose devices are all in use as in use', async () => {
  const { location = '' } = await webClient.post('/vouchers', {
    site: '1',
    name: 'Chor',
    count: '5',
    uses: '2',
  });
  const id = location?.split('/').at(-1);
  service.change(`update vouchers set used_count = 1 where batch_id = '${id}'`);
  service.change(`update vouchers set used_count = 2 where id in (
    select id from vouchers where batch_id = '${id}' order by id limit 2)`);
  const { text } = await webClient.get(`${location}?state=in-use`);
  assert.match(text, />Alle 5<.*>5 in Benutzung<.*>davon 2 voll belegt</s);
  assert.equal(text.match(/class="state-of"/g)?.length, 5);
  const full = await webClient.get(`${location}?state=used-up`);
  assert.equal(full.text.match(/class="state-of"/g)?.length, 2);
});

test('every field of the form is applied to the voucher', async () => {
  const limits = { down: '5', up: '0,75', quota: '500', quotaUnit: 'MB' };
  const fields = { uses: '3', validity: 'own', duration: '90', ...limits };
  await webClient.post('/vouchers', { site: '1', name: 'Alles', ...fields });
  const [row] = service.rows('select * from vouchers order by id desc limit 1');
  const expected = { max_uses: 3, expire_minutes: 90, down_kbps: 5000, up_kbps: 750, quota_mb: 500 };
  assert.partialDeepStrictEqual({ ...row }, expected);
});

test('a form that is sent several times creates its vouchers once', async () => {
  const before = count('vouchers');
  const batch = '11111111-2222-3333-4444-555555555555';
  const send = () => webClient.post('/vouchers', { site: '1', name: 'Doppelklick', batch });
  const responses = await Promise.all([send(), send(), send()]);
  assert.deepEqual(new Set(responses.map(({ location }) => location)), new Set([`/batches/${batch}`]));
  assert.equal(count('vouchers'), before + 1);
});

// Contract: Vouchers created through the web interface trigger the same notification.
test('a batch creates all its vouchers, shows their codes, and sends one notification with their number', async () => {
  const announced = count('outbox');
  const { location } = await webClient.post('/vouchers', { site: '1', name: 'Tagung', count: '25' });
  const page = await webClient.get(location ?? '');
  const codes = service.rows("select code from vouchers where name like '%_Tagung'");
  assert.equal(codes.length, 25);
  assert.match(page.text, /class="button primary" href="\/vouchers\/print/);
  assert.match(page.text, /class="button" href="\/\?site=1"/);
  for (const { code } of codes) assert.ok(page.text.includes(String(code).replace(/^(.{5})/, '$1-')));
  assert.equal(count('outbox'), announced + 1);
  const [event] = service.rows('select * from outbox order by id desc limit 1');
  assert.partialDeepStrictEqual({ ...event }, { voucher_count: 25, source: 'Web: anna', site_name: 'Demo' });
});

test('a batch has all its vouchers even if the response of the controller is lost', async () => {
  const site = await service.addSite('fail:lose-answer', 'Vergesslich');
  await webClient.post('/vouchers', { site: String(site), name: 'Verloren', count: '25' });
  const rows = service.rows("select distinct code from vouchers where name like '%_Verloren'");
  assert.equal(rows.length, 25);
  assert.equal(count('intents'), 0);
});

test('invalid input is reported at its field, and the form keeps the input', async () => {
  const before = count('vouchers');
  const bad = { site: '1', name: '', uses: '0', count: '501', validity: 'own', duration: 'x', quota: '7' };
  const { status, text } = await webClient.post('/vouchers', bad);
  assert.equal(status, 422);
  for (const field of ['name', 'uses', 'count', 'validity'])
    assert.match(text, new RegExp(`id="${field}-error"`));
  assert.match(text, /name="quota"[^>]*value="7"/);
  assert.equal(count('vouchers'), before);
});

test('a missing custom duration is reported, not replaced by a default', async () => {
  const before = count('vouchers');
  const { status, text } = await webClient.post('/vouchers', { site: '1', name: 'Tagung', validity: 'own' });
  assert.equal(status, 422);
  assert.match(text, /id="validity-error"/);
  assert.equal(count('vouchers'), before);
});

test('a custom duration is given in minutes, hours or days', async () => {
  for (const [unit, minutes] of [
    ['minutes', 3],
    ['hours', 180],
    ['days', 4_320],
  ] as const) {
    await webClient.post('/vouchers', { site: '1', name: 'Eigene', validity: 'own', duration: '3', unit });
    const [row] = service.rows('select expire_minutes from vouchers order by id desc limit 1');
    assert.equal(row?.expire_minutes, minutes);
  }
});

test('a validity that is not offered or too long is reported at its field, and creates no voucher', async () => {
  const before = count('vouchers');
  for (const fields of [
    { validity: '481' },
    { validity: '0' },
    { validity: '' },
    { validity: '-60' },
    { validity: '1e3' },
    { validity: 'own', duration: '0' },
    { validity: 'own', duration: '1.5' },
    { validity: 'own', duration: '3', unit: 'weeks' },
    { validity: 'own', duration: '1491309', unit: 'days' },
  ]) {
    const { status, text } = await webClient.post('/vouchers', { site: '1', name: 'Tagung', ...fields });
    assert.equal(status, 422, JSON.stringify(fields));
    assert.match(text, /id="validity-error"/);
  }
  assert.equal(count('vouchers'), before);
});

test('a value outside the bounds of the controller is reported at its field, and creates no batch', async () => {
  const connection = {
    url: 'https://192.0.2.1',
    credentials: { apiKey: 'x' },
    trust: { kind: 'ca' },
  } as const;
  const place = {
    name: 'Konsole',
    active: true,
    controllerKind: 'unifi',
    controllerSite: 'default',
    connection,
  } as const;
  const site = String(await service.beside.sites.add(place, { actor: TESTER, atMs: 1 }));
  const begun = count('batches');
  for (const [field, fields] of [
    ['validity', { validity: 'own', duration: '700', unit: 'days' }],
    ['down', { down: '0,001' }],
    ['up', { up: '100,001' }],
    ['quota', { quota: '1048,577' }],
    ['quota', { quota: '1048577', quotaUnit: 'MB' }],
    ['quota', { quota: '0,5', quotaUnit: 'MB' }],
    ['down', { down: '1.000' }],
  ] as const) {
    const { status, text } = await webClient.post('/vouchers', { site, name: 'Zu viel', ...fields });
    assert.equal(status, 422, field);
    assert.match(text, new RegExp(`id="${field}-error"`));
  }
  assert.equal(count('batches'), begun);
  service.change(`update sites set active = 0 where id = ${site}`);
});

test('after invalid input the menu still marks the page of the form', async () => {
  const { text } = await webClient.post('/vouchers', { site: '1', name: '' });
  assert.match(text, /href="\/" aria-current="page"/);
  assert.doesNotMatch(text, /href="\/vouchers" aria-current/);
});

test('if the controller refuses, no voucher is created, and the page says so and offers a retry', async () => {
  const siteId = await service.addSite('fail:refuse', 'Kaputt');
  const { location } = await webClient.post('/vouchers', {
    site: String(siteId),
    name: 'Geht nicht',
    count: '3',
  });
  const { text } = await webClient.get(location ?? '');
  assert.match(text, /Kein Voucher erstellt/);
  assert.match(text, /role="alert"/);
  assert.match(text, /Die Konsole hat die Anfrage abgelehnt/);
  assert.match(
    (await webClient.get(location ?? '', { 'accept-language': 'en' })).text,
    /The controller refused the request/,
  );
  assert.match(text, /(?=[^"]*name=Geht\+nicht)(?=[^"]*validity=480)[^"]*count=3[^"]*">Eingaben ändern</);
  assert.match(text, new RegExp(`action="${location}/retry".*button primary"[^>]*>Erneut versuchen<`));
  assert.doesNotMatch(text, /übrigen|Noch einen|Neue Voucher erstellen/);
  const line = service.logLines.findLast(({ msg }) => msg === 'no voucher created');
  assert.deepEqual([line?.siteId, line?.by], [siteId, 'Web: anna']);
  assert.match(String(line?.requestId), /./);
});

test('a batch stays complete when some of its vouchers are deleted, and its page offers no retry', async () => {
  const { location } = await webClient.post('/vouchers', { site: '1', name: 'Früher', count: '3' });
  const id = location?.split('/').at(-1);
  service.change(`delete from vouchers where id = (select max(id) from vouchers where batch_id = '${id}')`);
  const { text } = await webClient.get(location ?? '');
  assert.match(text, /3 Voucher erstellt.*Neue Voucher erstellen/s);
  assert.doesNotMatch(text, /role="alert"|übrigen/);
});

test('a batch interrupted by a crash goes on, and one notification is sent for its vouchers', async () => {
  const batch = '99999999-2222-3333-4444-555555555555';
  await webClient.post('/vouchers', { site: '1', name: 'Absturz', count: '2', batch });
  const announced = count('outbox');
  service.change(`update batches set ended_at_ms = null, wanted = 5 where id = '${batch}'`);
  assert.match(
    (await webClient.get(`/batches/${batch}`)).text,
    /http-equiv="refresh".*<progress max="5" value="2"/s,
  );
  await continueBatches(service.beside);
  // The service may have been faster.
  await until(() => count(`batches where id = '${batch}' and ended_at_ms is null`) === 0);
  const { text } = await webClient.get(`/batches/${batch}`);
  assert.match(text, /5 Voucher erstellt/);
  assert.doesNotMatch(text, /http-equiv="refresh"/);
  assert.equal(count('outbox'), announced + 1);
  assert.equal(count(`vouchers where batch_id = '${batch}'`), 5);
});

test('a batch of an earlier release that a crash interrupted is ended', async () => {
  const batch = '99999999-2222-3333-4444-666666666666';
  await webClient.post('/vouchers', { site: '1', name: 'Absturz', count: '2', batch });
  const announced = count('outbox');
  service.change(
    `update batches set ended_at_ms = null, wanted = 5, goes_on_until_ms = null where id = '${batch}'`,
  );
  await continueBatches(service.beside);
  await until(() => count(`batches where id = '${batch}' and ended_at_ms is null`) === 0);
  const { text } = await webClient.get(`/batches/${batch}`);
  assert.match(text, /2 von 5 Vouchern erstellt/);
  assert.match(text, /Die übrigen 3 erstellen/);
  assert.equal(count('outbox'), announced + 1);
});

test('names that contain HTML are shown as text on every page', async () => {
  const name = `<script>alert(1)</script>"'&`;
  const siteId = await service.addSite('default', `<img src=x onerror=alert(2)>`);
  const { location } = await webClient.post('/vouchers', { site: String(siteId), name });
  const [voucher] = service.rows('select id from vouchers order by id desc limit 1');
  const paths = [
    location,
    `/vouchers/print?voucher=${voucher?.id}`,
    '/',
    '/vouchers',
    `/vouchers/${voucher?.id}`,
    `/?name=${encodeURIComponent(name)}`,
  ];
  for (const path of paths) {
    const { text } = await webClient.get(path ?? '');
    assert.doesNotMatch(text, /<script>alert|<img src=x/, path ?? '');
  }
});

test('vouchers are found by code with or without a dash, by name, site and state', async () => {
  const [row] = service.rows("select code from vouchers where name like '%_Alles'");
  const code = String(row?.code);
  for (const q of [code, code.replace(/^(.{5})/, '$1-'), code.slice(0, 6), 'alle', 'Alles']) {
    const { text } = await webClient.get(`/vouchers?q=${encodeURIComponent(q)}&site=1&state=unused`);
    assert.ok(text.includes(code.replace(/^(.{5})/, '$1-')), q);
  }
  const { text } = await webClient.get('/vouchers?q=gibt-es-nicht%25');
  assert.match(text, /Nichts gefunden/);
});

test('paging neither skips nor repeats a voucher', async () => {
  await webClient.post('/vouchers', { site: '1', name: 'Viele', count: '60' });
  // After three seconds the response comes first.
  await until(() => count('batches where ended_at_ms is null') === 0);
  // As if each voucher had been created alone: the vouchers of a batch share a line.
  service.change("update vouchers set batch_id = null where name like '%Viele'");
  const seen: string[] = [];
  for (let path: string | undefined = '/vouchers'; path; ) {
    const { text }: { text: string } = await webClient.get(path);
    seen.push(...[...text.matchAll(/class="listed" href="\/vouchers\/(\d+)/g)].map(([, id]) => id ?? ''));
    path = /class="button" href="([^"]*after=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.ok(seen.length > 60, 'there are at least three pages');
  const folded =
    'select batch_id from vouchers where batch_id is not null group by batch_id having count(*) > 3';
  assert.equal(seen.length, count(`vouchers where coalesce(batch_id, '') not in (${folded})`));
  assert.equal(new Set(seen).size, seen.length);
});

test('the reason why a batch failed is stored as a code and shown in the language of the user', async () => {
  const site = await service.addSite('fail:nothing', 'Ohne Voucher');
  const { location } = await webClient.post('/vouchers', { site: String(site), name: 'Nichts' });
  const id = location?.split('/').at(-1);
  const [row] = service.rows(`select problem, cause from batches where id = '${id}'`);
  assert.deepEqual({ ...row }, { problem: 'no-valid-voucher', cause: 'no-voucher' });
  const told = { de: 'keinen brauchbaren Voucher', en: 'returned no usable voucher' };
  for (const [language, text] of Object.entries(told)) {
    webClient.cookies.set('language', language);
    const page = await webClient.get(location ?? '');
    assert.equal(page.text.split(text).length, 2, `"${text}" is shown once`);
  }
  webClient.cookies.delete('language');
});
