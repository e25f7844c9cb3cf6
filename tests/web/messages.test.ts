// Tests the messages of pages: what was done is said once, on the page that follows; every invalid form begins with a
// summary that leads to its fields; and a form that is not accepted says what to do instead.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type Page, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService();
  await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const english = { 'accept-language': 'en' };
const messageIn = ({ text }: Page) =>
  /<\/h1><div class="note [^"]*message"[^>]*>.*?<\/svg><div>([^<]*)/s.exec(text)?.[1];

test('what was done is said below the heading of the next page, once, in the language of the reader', async () => {
  const limits = { uses: '1', duration: '1', unit: 'days', sites: 'all' };
  const id = await addUser(service, 'ben@example.org', 'operator');
  const siteId = await service.addSite('default', 'Haus B');
  const webhook = await admin.post('/webhooks/add', { url: 'https://example.org/', format: 'chat' });
  assert.equal(messageIn(await admin.get(webhook.location ?? '')), 'Der Webhook ist hinzugefügt.');
  await admin.post('/keys', { name: 'Kasse', scope: 'read' });
  const [key] = service.rows("select id from api_keys where name = 'Kasse'");
  for (const [path, fields, german, inEnglish] of [
    ['/profiles', { name: 'Tag', ...limits }, 'Das Profil ist angelegt.', 'The profile is added.'],
    ['/profiles/1', { name: 'Tage', ...limits }, 'Das Profil ist gespeichert.', 'The profile is saved.'],
    [
      `/users/${id}`,
      { name: 'Ben', role: 'operator', 'site-1': '1' },
      'Der Benutzer ist gespeichert.',
      'The user is saved.',
    ],
    [`/keys/${key?.id}`, { limit: '5' }, 'Der API-Schlüssel ist gespeichert.', 'The API key is saved.'],
    [
      `/sites/${siteId}/deactivate`,
      {},
      'Der Standort ist deaktiviert. Neue Voucher sind dort nicht mehr möglich.',
      'The site is deactivated. No new vouchers can be created there.',
    ],
    ['/settings', { title: 'Haus' }, 'Die Einstellungen sind gespeichert.', 'The settings are saved.'],
  ] as const) {
    const next = (await admin.post(path, fields)).location ?? '';
    assert.equal(messageIn(await admin.get('/vouchers')), undefined, 'another page does not take it');
    assert.equal(messageIn(await admin.get(next)), german);
    assert.equal(messageIn(await admin.get(next)), undefined, 'it is not repeated');
    await admin.post(path, fields);
    assert.equal(messageIn(await admin.get(next, english)), inEnglish);
  }
});

test('neither the address nor a cookie can make up a message', async () => {
  const messageOf = async (name: string) => {
    admin.cookies.set('gastpass-notice', `${encodeURIComponent(name)}%20%2Fusers`);
    return messageIn(await admin.get(`/users?said=${encodeURIComponent(name)}`));
  };
  assert.equal(await messageOf('userSaved'), 'Der Benutzer ist gespeichert.', 'this is the cookie');
  for (const name of ['constructor', '<b>Bitte anrufen</b>', ''])
    assert.equal(await messageOf(name), undefined);
  admin.cookies.delete('gastpass-notice');
});

test('every invalid form begins with a summary whose links lead to the fields, and its title says so', async () => {
  const id = await addUser(service, 'cleo@example.org', 'operator');
  await service.addSite('default', 'Haus C');
  for (const [path, fields, wrong] of [
    ['/vouchers', { site: '9', name: '', validity: 'own', uses: 'x' }, ['site', 'name', 'validity', 'uses']],
    ['/profiles', { name: '', uses: '0', sites: 'chosen' }, ['name', 'uses', 'sites']],
    ['/keys', { name: '', limit: 'x', sites: 'chosen', expires: 'x' }, ['name', 'limit', 'sites', 'expires']],
    ['/users/add', { name: '', email: 'x' }, ['name', 'email', 'sites']],
    [`/users/${id}`, { name: '', role: 'operator' }, ['name', 'sites']],
    ['/webhooks/add', { url: 'x', format: 'chat' }, ['url']],
    ['/sites/new', { kind: 'unifi', url: 'x y' }, ['url']],
    ['/sites/new', { name: '', kind: 'simulator' }, ['name']],
    ['/sites/1', { name: '', site: '' }, ['name', 'site']],
    ['/sites/1/slip', { 'wifi-name': 'x'.repeat(40) }, ['wifi-name']],
    ['/settings', { title: '' }, ['title']],
    ['/settings/logo', {}, ['logo']],
    ['/settings/e-mail', { host: '', port: 'x' }, ['host', 'port', 'tls', 'from']],
    ['/settings/single-sign-on', { issuer: 'x', scopes: 'x' }, ['issuer', 'client-id', 'scopes']],
    ['/settings/single-sign-on/rules', { claim: '' }, ['claim']],
    ['/account/password', { 'next-password': 'kurz' }, ['next-password']],
  ] as const)
    for (const [language, title] of [
      ['de', 'Fehler: '],
      ['en', 'Error: '],
    ] as const) {
      const { status, text } = await admin.post(path, fields, { 'accept-language': language });
      assert.equal(status, 422, path);
      assert.ok(text.includes(`<title>${title}`), path);
      const [summary = ''] =
        /<div class="note bad message" id="errors" tabindex="-1" autofocus.*?<\/ul>/s.exec(text) ?? [];
      const links = [...summary.matchAll(/<a href="#([^"]+)">[^<]+<\/a>/g)].map(([, field]) => field);
      assert.deepEqual(links.toSorted(), wrong.toSorted(), path);
      for (const field of wrong) {
        assert.match(
          text,
          new RegExp(`<(input|select|textarea|fieldset)[^>]* id="${field}"`),
          `${path} ${field}`,
        );
        assert.match(text, new RegExp(`<span class="error" id="${field}-error">`), `${path} ${field}`);
      }
      assert.equal(text.indexOf(summary), text.indexOf('</h1>') + '</h1>'.length, path);
    }
});

test('opening the address of a form leads to the page with the form, which says that nothing happened', async () => {
  for (const [path, page] of [
    ['/sites/1/test', '/sites/1'],
    ['/account/password', '/account'],
    ['/second-factor', '/users'],
    ['/sites/1/slip/preview', '/sites/1/slip'],
    ['/logout', '/'],
  ] as const) {
    const { status, location } = await admin.get(path);
    assert.deepEqual([status, location], [303, page]);
    assert.match(messageIn(await admin.get(page)) ?? '', /^Diese Adresse gehört zu einem Formular/);
  }
});

test('a form of an earlier session is not sent, but kept and offered to the user who is signed in now', async () => {
  const fields = { name: 'Tag & Nacht', uses: '1', token: 'of an earlier session', sites: 'all' };
  const before = service.rows('select count(*) as n from profiles')[0]?.n;
  const { status, text } = await admin.post('/profiles', fields);
  assert.equal(status, 403);
  assert.match(text, /alle Eingaben sind noch da. Angemeldet ist jetzt: anna/);
  assert.doesNotMatch(text, /neu laden/);
  assert.equal(service.rows('select count(*) as n from profiles')[0]?.n, before);
  const [form = ''] = /<form method="post" action="\/profiles">.*?<\/form>/s.exec(text) ?? [];
  const kept = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name, value]);
  assert.deepEqual(
    kept.filter(([name]) => name !== 'token'),
    Object.entries({ ...fields, name: 'Tag &amp; Nacht', 'confirm-kept': '1' }).filter(
      ([name]) => name !== 'token',
    ),
  );
  for (const [label, value] of [
    ['Formular', 'Profile – Profil anlegen'],
    ['Name', 'Tag &amp; Nacht'],
    ['Geräte', '1'],
    ['Für', 'Alle Standorte'],
  ])
    assert.match(text, new RegExp(`<dt>${label}</dt><dd>(?:<span class="lines">)?${value}<`));
});

test('a stale form with a secret, or from another website, is not kept; a link leads to the form', async () => {
  const secret = { 'current-password': 'ganz geheim', token: 'stale' };
  const own = await admin.post('/account/password', secret);
  const away = { 'sec-fetch-site': 'cross-site' };
  const foreign = await admin.post('/profiles', { name: 'Fremd' }, away);
  const voucher = await admin.post('/vouchers', { name: 'Fremd' }, away);
  const revocation = await admin.post('/vouchers/revoke?voucher=1', {}, away);
  const unsaid = await admin.post('/profiles', { name: 'Fremd', token: 'x' }, { 'sec-fetch-site': 'none' });
  const door = await makeWebClient(service).post('/login', { email: 'a@example.org', token: 'x' });
  for (const [page, path] of [
    [own, '/account'],
    [foreign, '/profiles'],
    [voucher, '/'],
    [revocation, '/vouchers'],
    [unsaid, '/profiles'],
    [door, '/login'],
  ] as const) {
    assert.equal(page.status, 403);
    assert.doesNotMatch(page.text, /ganz geheim|Fremd/);
    assert.match(page.text, new RegExp(`class="button primary" href="${path}">Formular neu öffnen`));
  }
});
