// Tests a form that is sent after its session has ended: the login page says so, nothing happens yet, and after the
// login of the same user the form can be sent with everything that was typed, except secrets.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeFormToken } from '../../../src/kernel/pages/csrf.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { enrol } from '../enrolled.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type Page, type WebClient } from '../web-client.ts';

const HOUR_MS = 3_600_000;
const SAYS_KEPT = /Die Sitzung ist beendet, es wurde noch nichts gespeichert.*die Eingaben bleiben erhalten/;

let service: TestService;
let email: string;
let webClient: WebClient;
let token: string;
let made = 0;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());
beforeEach(async () => {
  email = `user${++made}@example.org`;
  await addUser(service, email, 'admin');
  webClient = await loggedIn(service, email);
  token = fieldOf(await webClient.get('/account'), 'token');
});

function fieldOf({ text }: Pick<Page, 'text'>, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
}
/** What the page says about the form. */
function factsOf({ text }: Pick<Page, 'text'>): Record<string, string> {
  const facts = text.matchAll(/<dt>(.*?)<\/dt><dd>(?:<span class="lines">)?(.*?)(?:<\/span>)?<\/dd>/gs);
  return Object.fromEntries([...facts].map(([, label = '', fact = '']) => [label, fact]));
}
const order = (name: string) => ({ site: '1', name, uses: '2', count: '1', validity: '480' });
/** Sends a form of a page that was opened before the session ended. */
const send = (path: string, fields: Record<string, string>) => webClient.post(path, { ...fields, token });
const endSessions = () => service.change('delete from web_sessions');
const vouchersNamed = (name: string) =>
  service.rows(`select max_uses from vouchers where name like '%${name}'`).map((row) => row.max_uses);
async function loginAgain(draft: string, as = email): Promise<Page> {
  return webClient.post('/login', { email: as, password: PASSWORD, draft });
}
/** The form of the page, as the browser sends it. */
async function sendAgain(page: Page, typed: Record<string, string> = {}): Promise<Page> {
  const form = /<main.*?<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(page.text);
  const hidden = [...(form?.[2] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return webClient.post(form?.[1] ?? '', { ...fields, ...typed });
}

for (const [how, end] of Object.entries({
  'was ended': endSessions,
  'has expired': () => service.clock.advance(2 * HOUR_MS),
}))
  test(`a form of a session that ${how} is kept through the login and then sent once`, async () => {
    const name = `Zimmer ${how}`;
    end();
    const ended = await send('/vouchers', order(name));
    assert.equal(ended.status, 401);
    assert.match(ended.text, SAYS_KEPT);
    assert.deepEqual(vouchersNamed(name), []);
    const wrong = await webClient.post('/login', {
      email,
      password: 'falsch',
      draft: fieldOf(ended, 'draft'),
    });
    assert.equal(wrong.status, 401);
    const again = await loginAgain(fieldOf(wrong, 'draft'));
    assert.equal(again.status, 200);
    assert.match(again.text, new RegExp(`noch nicht abgesendet.*${name}.*Jetzt absenden`, 's'));
    const shown = {
      Standort: 'Demo',
      Name: name,
      'Geräte pro Voucher': '2',
      Anzahl: '1',
      Gültig: '8 Stunden',
    };
    assert.deepEqual(factsOf(again), { Formular: 'Voucher erstellen', ...shown });
    assert.deepEqual(vouchersNamed(name), [], 'nothing is sent without asking');
    assert.match((await sendAgain(again)).location ?? '', /^\/batches\//);
    assert.deepEqual(vouchersNamed(name), [2]);
  });

test('a kept form is shown with the labels and choices of its page, in the language of the user', async () => {
  const site = await service.addSite('other', 'Haus <b>&');
  webClient.cookies.set('language', 'en');
  const key = { name: 'Kasse', scope: 'read', sites: 'chosen', site: String(site), limit: '60' };
  const profile = { name: 'Tag', duration: '3', unit: 'days', uses: '1', quota: '', quotaUnit: 'GB' };
  const wizard = { kind: 'unifi', url: 'https://192.0.2.1', sealed: 'v1.abc', site: 'default' };
  const tries: [path: string, fields: Record<string, string>, shown: Record<string, string>][] = [
    [
      '/keys',
      { ...key, expires: '2027-02-01', note: '' },
      {
        Form: 'API keys – Create key',
        Name: 'Kasse',
        Access: 'Read only',
        Sites: 'Selected sites only, Haus &lt;b&gt;&amp;',
        'Requests per minute': '60',
        'Valid until': '1\u00a0Feb\u00a02027',
        Note: '–',
      },
    ],
    [
      '/profiles',
      profile,
      {
        Form: 'Profiles – Create profile',
        Name: 'Tag',
        Duration: '3 days',
        Devices: '1',
        Data: '–',
      },
    ],
    [
      '/sites/new/store',
      wizard,
      {
        Form: '<code>/sites/new/store</code>',
        Controller: 'UniFi (API key)',
        Address: 'https://192.0.2.1',
        'Further data': '<code>sealed: ••••</code><br><code>site: default</code><br>',
      },
    ],
  ];
  for (const [path, fields, shown] of tries) {
    endSessions();
    const ended = await send(path, fields);
    const again = await loginAgain(fieldOf(ended, 'draft'));
    assert.deepEqual(factsOf(again), shown);
    token = fieldOf(await webClient.get('/account'), 'token');
  }
});

test('the form is kept while a code is asked', async () => {
  const { nextCode } = await enrol(service, webClient);
  // The session has got a new token.
  token = fieldOf(await webClient.get('/account'), 'token');
  endSessions();
  const ended = await send('/vouchers', order('Mit Code'));
  const code = await loginAgain(fieldOf(ended, 'draft'));
  assert.match(code.text, /Code eingeben/);
  const again = await webClient.post('/login/code', { code: nextCode(), draft: fieldOf(code, 'draft') });
  assert.match((await sendAgain(again)).location ?? '', /^\/batches\//);
  assert.deepEqual(vouchersNamed('Mit Code'), [2]);
});

test('a form with a made-up session is not kept', async () => {
  const userId = service.rows(`select id from users where email = '${email}'`)[0]?.id;
  for (const session of [`${'x'.repeat(43)}.${userId}`, 'v1.made-up']) {
    webClient.cookies.set('gastpass', session);
    const ended = await webClient.post('/vouchers', { ...order('Falle'), token: makeFormToken(session) });
    assert.equal(ended.status, 401);
    assert.equal(fieldOf(ended, 'draft'), '');
    assert.equal(webClient.cookies.has('gastpass-draft'), false);
  }
});

test('a kept form asks for the password where its route does, although it was just entered', async () => {
  endSessions();
  const ended = await send('/keys', { name: 'Falle', scope: 'write' });
  const asked = await sendAgain(await loginAgain(fieldOf(ended, 'draft')));
  assert.equal(asked.status, 401);
  assert.match(asked.text, /<h1>Passwort bestätigen</);
  const keys = () => service.rows(`select id from api_keys where name = 'Falle'`).length;
  assert.equal((await sendAgain(asked, { 'confirm-password': 'falsch' })).status, 401);
  assert.equal(keys(), 0);
  assert.equal((await sendAgain(asked, { 'confirm-password': PASSWORD })).status, 200);
  assert.equal(keys(), 1);
});

test('another user does not get the form, nor does anybody after a day', async () => {
  await addUser(service, `other${made}@example.org`, 'admin');
  endSessions();
  const draft = fieldOf(await send('/vouchers', order('Geheim')), 'draft');
  assert.ok(draft.length > 50);
  const other = await loginAgain(draft, `other${made}@example.org`);
  assert.deepEqual([other.status, other.location], [303, '/']);
  service.clock.advance(24 * HOUR_MS);
  assert.equal((await loginAgain(draft)).location, '/');
  assert.equal((await loginAgain('v1.made-up')).location, '/');
});

test('a form with a password or another secret is not kept', async () => {
  endSessions();
  const ended = await send('/sites/new/site', {
    name: 'Haus',
    url: 'https://192.0.2.1',
    password: 'geheimes-Wort',
    'api-key': 'geheimes-Wort',
  });
  assert.match(ended.text, /Die Sitzung ist beendet. Bitte neu anmelden/);
  assert.doesNotMatch(ended.text, /name="draft"|geheimes-Wort/);
});

test('a form without its token, from another site, too large or without input is not kept', async () => {
  endSessions();
  const tries: [fields: Record<string, string>, headers: Record<string, string>][] = [
    [{ ...order('A'), token: 'x' }, {}],
    [{ ...order('B'), token }, { 'sec-fetch-site': 'cross-site' }],
    [{ ...order('C'), token }, { origin: 'https://evil.example' }],
  ];
  for (const [fields, headers] of tries) {
    const { status, location } = await webClient.post('/vouchers', fields, headers);
    assert.deepEqual([status, location], [303, '/login']);
  }
  for (const fields of [order('x'.repeat(30_000)), { once: 'id' }]) {
    const { status, text } = await send('/vouchers', fields);
    assert.equal(status, 401);
    assert.match(text, /Die Sitzung ist beendet. Bitte neu anmelden/);
    assert.equal(fieldOf({ text }, 'draft'), '');
  }
});

test('a page of an ended session leads to the login, which says so; after logging out it does not', async () => {
  endSessions();
  const { location } = await webClient.get('/vouchers');
  assert.equal(location, '/login?next=%2Fvouchers');
  assert.match((await webClient.get(location ?? '')).text, /Die Sitzung ist beendet/);
  const other = await loggedIn(service, email);
  await other.post('/logout', {});
  assert.doesNotMatch((await other.get('/login')).text, /Die Sitzung ist beendet/);
  assert.doesNotMatch((await makeWebClient(service).get('/login')).text, /Die Sitzung ist beendet/);
});
