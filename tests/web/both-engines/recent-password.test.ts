// Tests that actions which a stolen or unattended session must not take ask for the password again: when, for which
// routes, that the typed form is kept, and how wrong passwords are throttled and audited.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { ROUTES } from '../../../src/app/routes.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, PASSWORD, type Page, type WebClient } from '../web-client.ts';

const MINUTE_MS = 60_000;
const ASKS = /<h1>Passwort bestätigen<\/h1>/;

let service: TestService;
let admin: WebClient;
let email: string;
let made = 0;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());
beforeEach(async () => {
  email = `admin${++made}@example.org`;
  await addUser(service, email, 'admin');
  admin = await loggedIn(service, email);
});

const keysNamed = (name: string) => service.rows(`select id from api_keys where name = '${name}'`).length;
/** The fields of the form on the page, as the browser sends them, with the password typed in. */
function fieldsOf({ text }: Page, password: string, action = '/keys'): Record<string, string> {
  const form = new RegExp(`<form method="post" action="${action}">.*?</form>`, 's').exec(text)?.[0] ?? '';
  const hidden = [...form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)];
  const unescaped = (value = '') => value.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
  return {
    ...Object.fromEntries(hidden.map(([, name = '', value]) => [name, unescaped(value)])),
    'confirm-password': password,
  };
}

test('within ten minutes after the password was entered nothing is asked, and later the password', async () => {
  service.clock.advance(10 * MINUTE_MS - 1);
  assert.equal((await admin.post('/keys', { name: 'früh', scope: 'read' })).status, 200);
  service.clock.advance(1);
  const asked = await admin.post('/keys', { name: 'spät', scope: 'read' });
  assert.equal(asked.status, 401);
  assert.match(asked.text, ASKS);
  assert.deepEqual([keysNamed('früh'), keysNamed('spät')], [1, 0]);
  assert.equal((await admin.get('/keys')).status, 200, 'looking needs no password');
});

test('after the password the same form takes effect, with everything that was typed, once', async () => {
  service.clock.advance(11 * MINUTE_MS);
  const typed = { name: 'Kasse "&" Bar', scope: 'write', limit: '7', once: `once-${made}` };
  const asked = await admin.post('/keys', typed);
  const fields = fieldsOf(asked, PASSWORD);
  assert.partialDeepStrictEqual(fields, typed);
  const done = await admin.post('/keys', fields);
  assert.equal(done.status, 200);
  assert.match(done.text, /gpk_/);
  const [key] = service.rows(`select scope, rate_limit from api_keys where name = 'Kasse "&" Bar'`);
  assert.deepEqual({ ...key }, { scope: 'write', rate_limit: 7 });
  assert.equal((await admin.post('/keys', fields)).status, 409, 'a reload creates no second key');
  assert.equal((await admin.post('/keys', { name: 'gleich', scope: 'read' })).status, 200);
});

test('adding and changing a webhook asks for the password', async () => {
  service.clock.advance(11 * MINUTE_MS);
  const webhooks = () => service.rows('select name, events from webhooks').map((row) => ({ ...row }));
  const typed = { url: 'https://chat.example/x', name: 'Kasse', events: 'chosen', event: 'site.recovered' };
  const asked = await admin.post('/webhooks/add', typed);
  assert.deepEqual([asked.status, webhooks()], [401, []]);
  await admin.post('/webhooks/add', fieldsOf(asked, PASSWORD, '/webhooks/add'));
  assert.deepEqual(webhooks(), [{ name: 'Kasse', events: 'site.recovered' }]);
  service.clock.advance(11 * MINUTE_MS);
  const [row] = service.rows('select id from webhooks');
  const edit = `/webhooks/${row?.id}/edit`;
  assert.match((await admin.post(edit, { name: 'Bar' })).text, ASKS);
  assert.equal(webhooks()[0]?.name, 'Kasse');
});

test('a wrong password is refused, throttled, logged, counted and audited under the user’s own name', async () => {
  service.clock.advance(11 * MINUTE_MS);
  const asked = await admin.post('/keys', { name: 'geraten', scope: 'read' });
  const guess = () => admin.post('/keys', fieldsOf(asked, 'falsch'));
  for (let tries = 0; tries < 10; tries++) {
    const wrong = await guess();
    assert.equal(wrong.status, 401);
    assert.match(wrong.text, /Das Passwort stimmt nicht/);
    assert.partialDeepStrictEqual(fieldsOf(wrong, ''), { name: 'geraten', scope: 'read' });
  }
  const refused = await guess();
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.equal(keysNamed('geraten'), 0);
  const entries = service.rows(
    `select actor from audit where subject like '%(${email})' and action = 'user.confirmation-failed'`,
  );
  assert.deepEqual(new Set(entries.map(({ actor }) => actor)), new Set([`Web: ${email.split('@')[0]}`]));
  assert.equal(entries.length, 10);
  const line = service.logLines.findLast(({ reason }) => reason === 'wrong-confirmation');
  assert.partialDeepStrictEqual(line, { level: 'warn', account: email });
  const metrics = (await service.call('GET', '/metrics')).text;
  assert.match(metrics, /gastpass_logins_total\{result="wrong-confirmation"\} [1-9]/);
});

test('cancelling leads back to the page of the form, also after a wrong password', async () => {
  service.clock.advance(11 * MINUTE_MS);
  const cancelOf = ({ text }: Page) => /href="([^"]+)">Abbrechen/.exec(text)?.[1];
  const asked = await admin.post('/second-factor', {}, { referer: `${service.url}/users?x=1` });
  assert.equal(cancelOf(asked), '/users?x=1');
  const fields = { 'confirm-back': '/users?x=1', 'confirm-password': 'falsch' };
  assert.equal(cancelOf(await admin.post('/second-factor', fields)), '/users?x=1');
  const hostile = { 'confirm-back': '//evil.example', 'confirm-password': 'falsch' };
  assert.equal(cancelOf(await admin.post('/second-factor', hostile)), '/');
});

test('a wrong current password on the account page is audited under the user’s own name', async () => {
  await admin.post('/account/password', {
    'current-password': 'falsch',
    'next-password': 'lang genug ist das',
  });
  const [entry] = service.rows(
    `select actor, action from audit where subject like '%(${email})' order by id desc`,
  );
  assert.deepEqual(
    { ...entry },
    { actor: `Web: ${email.split('@')[0]}`, action: 'user.confirmation-failed' },
  );
});

test('a session of an earlier release, which did not record the time, is asked', async () => {
  service.change('update web_sessions set authenticated_at_ms = 0');
  assert.match((await admin.post('/keys', { name: 'alt', scope: 'read' })).text, ASKS);
});

test('second factors, keys, users, printers, screens, request pages, webhooks, single sign-on, site access, mail server, public address, retention and the second-factor rule are protected', () => {
  const guarded = ROUTES.filter((route) => 'recentPassword' in route);
  assert.deepEqual(guarded.map(({ method, path }) => `${method} ${path}`).toSorted(), [
    'POST /account/second-factor/codes',
    'POST /account/second-factor/new',
    'POST /account/second-factor/off',
    'POST /health/clock',
    'POST /keys',
    'POST /keys/:key',
    'POST /printers/:printer/edit',
    'POST /printers/:printer/path',
    'POST /printers/:printer/path/renew',
    'POST /printers/add',
    'POST /screens/:screen/edit',
    'POST /screens/:screen/pairing',
    'POST /screens/:screen/path',
    'POST /screens/:screen/path/renew',
    'POST /screens/add',
    'POST /second-factor',
    'POST /settings/e-mail',
    'POST /settings/e-mail/remove',
    'POST /settings/public-url',
    'POST /settings/retention',
    'POST /settings/single-sign-on',
    'POST /settings/single-sign-on/link',
    'POST /settings/single-sign-on/remove',
    'POST /settings/single-sign-on/rules',
    'POST /settings/single-sign-on/rules/remove',
    'POST /sites/:site/access',
    'POST /sites/:site/access/certificate',
    'POST /sites/:site/access/site',
    'POST /sites/:site/access/store',
    'POST /sites/:site/requests/address',
    'POST /sites/:site/requests/mail',
    'POST /sites/:site/requests/off',
    'POST /sites/:site/requests/on',
    'POST /sites/:site/requests/renew',
    'POST /sites/new/reuse',
    'POST /sites/new/reuse/store',
    'POST /users/:user',
    'POST /users/:user/off',
    'POST /users/:user/on',
    'POST /users/:user/password',
    'POST /users/:user/remove',
    'POST /users/:user/second-factor',
    'POST /users/:user/unlink',
    'POST /users/add',
    'POST /webhooks/:webhook/edit',
    'POST /webhooks/:webhook/rotate',
    'POST /webhooks/add',
  ]);
});
