// Tests a form that is sent after its session has ended: the login page says so, nothing happens yet, and after the login
// of the same user the form can be sent with everything that was typed, except secrets.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { enrol } from '../enrolled.ts';
import { addUser, makeWebClient, PASSWORD, type Page, signedIn, type WebClient } from '../web-client.ts';

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
  webClient = await signedIn(service, email);
  token = fieldOf(await webClient.get('/account'), 'token');
});

function fieldOf({ text }: Pick<Page, 'text'>, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
}
const order = (name: string) => ({ site: '1', name, uses: '2', count: '1', validity: '480' });
/** Sends a form of a page that was opened before the session ended. */
const send = (path: string, fields: Record<string, string>) => webClient.post(path, { ...fields, token });
const endSessions = () => service.change('delete from web_sessions');
const vouchersNamed = (name: string) =>
  service.rows(`select max_uses from vouchers where name like '%${name}'`).map((row) => row.max_uses);
async function signInAgain(draft: string, as = email): Promise<Page> {
  return webClient.post('/login', { email: as, password: PASSWORD, draft });
}
/** The form of the page, as the browser sends it. */
async function sendAgain(page: Page): Promise<Page> {
  const form = /<form method="post" action="([^"]+)">(.*?)<\/form>/s.exec(page.text);
  const hidden = [...(form?.[2] ?? '').matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
  return webClient.post(form?.[1] ?? '', fields);
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
    const again = await signInAgain(fieldOf(wrong, 'draft'));
    assert.equal(again.status, 200);
    assert.match(again.text, new RegExp(`noch nicht abgesendet.*${name}.*Jetzt absenden`, 's'));
    assert.deepEqual(vouchersNamed(name), [], 'nothing is sent without asking');
    assert.match((await sendAgain(again)).location ?? '', /^\/batches\//);
    assert.deepEqual(vouchersNamed(name), [2]);
  });

test('the form is kept while a code is asked', async () => {
  const { nextCode } = await enrol(service, webClient);
  endSessions();
  const ended = await send('/vouchers', order('Mit Code'));
  const code = await signInAgain(fieldOf(ended, 'draft'));
  assert.match(code.text, /Code eingeben/);
  const again = await webClient.post('/login/code', { code: nextCode(), draft: fieldOf(code, 'draft') });
  assert.match((await sendAgain(again)).location ?? '', /^\/batches\//);
  assert.deepEqual(vouchersNamed('Mit Code'), [2]);
});

test('another user does not get the form, nor does anybody after a day', async () => {
  await addUser(service, `other${made}@example.org`, 'admin');
  endSessions();
  const draft = fieldOf(await send('/vouchers', order('Geheim')), 'draft');
  assert.ok(draft.length > 50);
  const other = await signInAgain(draft, `other${made}@example.org`);
  assert.deepEqual([other.status, other.location], [303, '/']);
  service.clock.advance(24 * HOUR_MS);
  assert.equal((await signInAgain(draft)).location, '/');
  assert.equal((await signInAgain('v1.made-up')).location, '/');
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
  const other = await signedIn(service, email);
  await other.post('/logout', {});
  assert.doesNotMatch((await other.get('/login')).text, /Die Sitzung ist beendet/);
  assert.doesNotMatch((await makeWebClient(service).get('/login')).text, /Die Sitzung ist beendet/);
});
