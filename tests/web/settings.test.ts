// Tests the settings of the installation: they apply to every page, invalid input is reported at its field, and the
// page shows what retention would delete before anything is saved.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DEFAULT_SETTINGS, type Settings } from '../../src/kernel/settings/settings.ts';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from './web-client.ts';

const DAY_S = 24 * 60 * 60;
const LOOK = { title: 'Gastpass', language: 'browser', 'api-page': 'open' };
let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
});
after(() => service.stop());

const settings = () => service.beside.settings.read();
const decide = (change: Partial<Settings>) =>
  service.beside.settings.change(change, { actor: TESTER, atMs: service.clock.nowMs() });
const actions = (name: string) =>
  service.rows('select actor, subject from audit where action = ? order by id', name);
/** Decodes the HTML escapes in the text of a page. */
const seen = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

test('the title is shown on every page, in the navigation and on the login page', async () => {
  const saved = await admin.post('/settings', { ...LOOK, title: '  Hotel Seeblick ' });
  assert.equal(saved.location, '/settings');
  assert.match((await admin.get('/settings')).text, /Die Einstellungen sind gespeichert/);
  for (const [webClient, path] of [
    [admin, '/vouchers'],
    [makeWebClient(service), '/login'],
  ] as const) {
    const { text } = await webClient.get(path);
    assert.match(text, /<title>[^<]*· Hotel Seeblick<\/title>/);
    assert.match(text, /class="brand"[^>]*>.*Hotel Seeblick/);
  }
  const [entry] = actions('settings.changed');
  assert.match(String(entry?.actor), /^Web: admin/);
  assert.match(String(entry?.subject), /Hotel Seeblick/);
});

test('a title that contains HTML is shown as text', async () => {
  for (const title of ['<script>alert(1)</script>', '"><img src=x onerror=y>', '🏨'.repeat(40)]) {
    assert.equal((await admin.post('/settings', { ...LOOK, title })).status, 303, title);
    const pages = [
      await admin.get('/'),
      await admin.get('/settings'),
      await makeWebClient(service).get('/login'),
    ];
    for (const { text } of pages) {
      assert.doesNotMatch(text, /<script>alert|<img src=x/);
      assert.ok(seen(text).includes(title), title);
    }
  }
});

test('an invalid title is reported at its field, the form keeps the input, and nothing is saved', async () => {
  await admin.post('/settings', LOOK);
  const wrong = { ' ': /Titel eintragen/, [`${'x'.repeat(41)}`]: /40 Zeichen/, 'a\u202eb': /unsichtbare/ };
  for (const [title, expected] of Object.entries(wrong)) {
    const { status, text } = await admin.post('/settings', { ...LOOK, title, language: 'en' });
    assert.equal(status, 422);
    assert.match(text, expected);
    assert.match(text, /id="title"[^>]*aria-invalid="true"/);
    assert.match(text, /<option value="en" selected/);
  }
  assert.deepEqual(await settings(), DEFAULT_SETTINGS);
});

test('the language is the one the visitor chose, then the configured one, then the browser’s', async () => {
  const greeting = async (headers?: Record<string, string>) =>
    (await makeWebClient(service).get('/login', headers)).text;
  const english = { 'accept-language': 'en' };
  await admin.post('/settings', { ...LOOK, language: 'de' });
  assert.match(await greeting(english), /<html lang="de">/);
  await admin.post('/settings', { ...LOOK, language: 'en' });
  assert.match(await greeting(), /<html lang="en">/);
  assert.match(await greeting({ cookie: 'language=de' }), /<html lang="de">/);
  await admin.post('/settings', { ...LOOK, language: 'browser' });
  assert.match(await greeting(english), /<html lang="en">/);
});

test('the API documentation can be opened and closed', async () => {
  await admin.post('/settings', { ...LOOK, 'api-page': 'closed' });
  assert.equal((await settings()).isApiPageOpen, false);
  assert.match((await admin.get('/settings')).text, /<option value="closed" selected/);
  await admin.post('/settings', LOOK);
  assert.equal((await settings()).isApiPageOpen, true);
});

/** The text of each row of the table. */
const figuresIn = (text: string) =>
  (/<tbody>(.*)<\/tbody>/s.exec(text)?.[1] ?? '')
    .split('</tr>')
    .map((row) =>
      row
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter(Boolean);

test('the retention preview shows what would be deleted, and saves nothing', async () => {
  const nowS = Math.floor(service.clock.nowMs() / 1_000);
  await admin.post('/vouchers', { site: '1', name: 'Gast', count: '3' });
  service.change('update vouchers set used_count = 1, first_used_at_s = ?', nowS - 60 * DAY_S);
  await admin.post('/vouchers', { site: '1', name: 'Neu' });
  const { status, text } = await admin.get('/settings/retention?vouchers=30&audit=own&audit-days=45');
  assert.equal(status, 200);
  assert.match(figuresIn(text)[0] ?? '', /^Abgelaufene Voucher 3 (\d\d\.\d\d\.\d{4}) \1$/);
  assert.equal(figuresIn(text)[1], 'Protokoll 0 – –');
  assert.match(text, /Abgelaufene Voucher: 30 Tage. Protokoll: 45 Tage./);
  assert.match(text, /nicht rückgängig/);
  assert.equal((await settings()).keepVouchersDays, null);

  const action = /action="(\/settings\/retention\?[^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  assert.equal((await admin.post(action, {})).location, '/settings');
  assert.partialDeepStrictEqual(await settings(), { keepVouchersDays: 30, keepAuditDays: 45 });
  assert.match((await admin.get('/settings')).text, /name="audit" value="own" checked/);
  assert.match((await admin.get('/settings')).text, /id="audit-days"[^>]*value="45"/);
});

test('the retention preview shows count, oldest and newest entry of each kind, also if there are none', async () => {
  await decide({ keepVouchersDays: null, keepAuditDays: null });
  const [first] = service.rows('select min(id) as id from vouchers');
  service.change(
    'update vouchers set first_used_at_s = null, used_count = 0 where id > ?',
    Number(first?.id),
  );
  service.change('update audit set at_ms = 1 where id = (select min(id) from audit)');
  const ask = async (query: string) => (await admin.get(`/settings/retention?${query}`)).text;
  const both = await ask('vouchers=30&audit=30');
  assert.match(figuresIn(both)[0] ?? '', /^Abgelaufene Voucher 1 \d/);
  assert.equal(figuresIn(both)[1], 'Protokoll 1 01.01.1970 01.01.1970');
  const none = await ask('vouchers=ever&audit=ever');
  assert.match(none, /würde nichts gelöscht/);
  assert.deepEqual(figuresIn(none), ['Abgelaufene Voucher 0 – –', 'Protokoll 0 – –']);
});

test('an invalid retention period is reported at its field, and neither GET nor POST saves it', async () => {
  const queries = {
    'vouchers=own&vouchers-days=6&audit=ever': ['vouchers'],
    'vouchers=6&audit=29': ['vouchers', 'audit'],
    'vouchers=own&audit=own&audit-days=1e9': ['vouchers', 'audit'],
    'vouchers=own&vouchers-days=36501&audit=ever': ['vouchers'],
    'vouchers=-30&audit=ever': ['vouchers'],
    '': ['vouchers', 'audit'],
  };
  for (const [query, wrong] of Object.entries(queries))
    for (const response of [
      await admin.get(`/settings/retention?${query}`),
      await admin.post(`/settings/retention?${query}`, {}),
    ]) {
      assert.equal(response.status, 422, query);
      const told = [...response.text.matchAll(/id="(vouchers|audit)-error"/g)].map(([, name]) => name);
      assert.deepEqual(told, wrong, query);
    }
  assert.match(
    (await admin.get('/settings/retention?vouchers=own&vouchers-days=6&audit=ever')).text,
    /id="vouchers-days"[^>]*value="6"/,
  );
  assert.partialDeepStrictEqual(await settings(), { keepVouchersDays: null, keepAuditDays: null });
});

test('without names the form has no name field, and a name that is sent nevertheless is not stored', async () => {
  await admin.post('/settings/privacy', { names: 'none', ips: 'short' });
  const { asksForNames, shortensIps } = await settings();
  assert.deepEqual({ asksForNames, shortensIps }, { asksForNames: false, shortensIps: true });
  assert.doesNotMatch((await admin.get('/')).text, /name="name"/);
  const made = await admin.post('/vouchers', { site: '1', name: 'Erika Mustermann', validity: '480' });
  assert.equal(made.status, 303);
  const [voucher] = service.rows('select name from vouchers order by id desc limit 1');
  assert.match(String(voucher?.name), /^\d{4}-\d{2}-\d{2}_Gast$/);
  assert.match(seen((await admin.get('/audit')).text), /Namen abfragen/);

  await admin.post('/settings/privacy', { names: 'ask', ips: 'whole' });
  assert.match((await admin.get('/')).text, /name="name"/);
  assert.deepEqual(await settings(), DEFAULT_SETTINGS);
});
