// Tests users in the web interface: inviting, changing, deactivating, activating, removing, links for a new password;
// and that administrators cannot lock themselves out.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from './web-client.ts';

const OWN_PASSWORD = 'selbst gewählt';

let service: TestService;
let admin: WebClient;
let adminId: number;
before(async () => {
  service = await startTestService();
  adminId = await addUser(service, 'anna@example.org', 'admin');
  admin = await loggedIn(service, 'anna@example.org');
});
after(() => service.stop());

const user = (email: string) => service.rows(`select * from users where email = '${email}'`)[0];
const sitesOf = (id: unknown) =>
  service
    .rows(`select site_id from user_sites where user_id = ${id} order by site_id`)
    .map((row) => row.site_id);
const secretIn = (text: string) => /class="secret-text">([^<]+)</.exec(text)?.[1] ?? '';
const lastEntry = () => ({ ...service.rows('select * from audit order by id desc limit 1')[0] });
const isInside = async (webClient: WebClient) => (await webClient.get('/account')).status === 200;

test('a new user sets a password with the displayed link, and has access only to the chosen sites', async () => {
  const siteId = await service.addSite('default', 'Haus B');
  const made = await admin.post('/users/add', {
    name: 'Ben',
    email: ' Ben@Example.org ',
    role: 'operator',
    [`site-${siteId}`]: '1',
    'site-9999': '1',
  });
  assert.equal(made.status, 200);
  const link = secretIn(made.text);
  assert.ok(link.startsWith(`${service.url}/invitation/`), link);
  assert.match(made.text, /nur auf diesem Rechner.*href="\/settings#public-url-card"/s);
  assert.doesNotMatch(made.text, /class="qr"/, 'a phone cannot open an address of this machine');
  assert.partialDeepStrictEqual(lastEntry(), {
    actor: 'Web: anna',
    action: 'user.invited',
    subject: `user ${user('ben@example.org')?.id} (ben@example.org): operator`,
  });
  assert.deepEqual(sitesOf(user('ben@example.org')?.id), [siteId]);
  assert.match((await admin.get('/users')).text, /eingeladen<\/span><span class="sub">Link gültig bis/);
  assert.ok(!(await admin.get('/users')).text.includes(link), 'the link is shown once');

  const ben = makeWebClient(service);
  assert.equal((await ben.post(link.replace(service.url, ''), { password: OWN_PASSWORD })).status, 303);
  assert.equal((await ben.login('ben@example.org', OWN_PASSWORD)).status, 303);
  assert.equal((await ben.post('/vouchers', { site: '1', name: 'Fremd' })).status, 422);
  assert.equal((await ben.post('/vouchers', { site: String(siteId), name: 'Eigen' })).status, 303);
  assert.doesNotMatch((await admin.get('/users')).text, /eingeladen/);
});

test('invalid input is reported at its field, the form keeps what was typed, and no user is added', async () => {
  const before = service.rows('select count(*) as n from users')[0]?.n;
  const typed = { name: '', email: 'kein Ort', role: 'admin' };
  const { status, text } = await admin.post('/users/add', typed);
  assert.equal(status, 422);
  for (const field of ['name', 'email']) assert.match(text, new RegExp(`id="${field}-error"`));
  assert.match(text, /value="kein Ort"/);
  assert.match(text, /value="admin" selected/);
  for (const fields of [
    { name: 'Anna 2', email: 'ANNA@example.org' },
    { name: 'a\u0000b', email: 'd@example.org' },
    { name: 'D', email: 'd\u0000@example.org' },
    { name: 'D', email: '\u212Aarl@example.org' },
  ])
    assert.equal((await admin.post('/users/add', fields)).status, 422);
  const accented = await admin.post('/users/add', { name: 'D', email: 'dörte@example.org' });
  assert.match(accented.text, /id="email-error">Vor dem @ sind nur a–z/);
  assert.equal(service.rows('select count(*) as n from users')[0]?.n, before);
});

test('changes of name, role and sites apply from the next request on', async () => {
  const id = await addUser(service, 'dora@example.org', 'operator');
  const dora = await loggedIn(service, 'dora@example.org');
  const save = (fields: Record<string, string>) => admin.post(`/users/${id}`, fields);
  assert.equal((await save({ name: 'Dora D.', role: 'operator', 'site-1': '1' })).location, '/users');
  assert.deepEqual(sitesOf(id), [1]);
  assert.match((await admin.get(`/users/${id}`)).text, /name="site-1" value="1" checked/);
  assert.equal((await dora.get('/users')).status, 403);

  await save({ name: 'Dora D.', role: 'admin', 'site-1': '1' });
  assert.deepEqual(sitesOf(id), [], 'administrators have access to all sites');
  assert.equal((await dora.get('/users')).status, 200);
  const siteless = await save({ name: 'Dora D.', role: 'operator' });
  assert.match(siteless.text, /id="sites-error">Bitte mindestens einen Standort/);
  assert.equal((await dora.get('/users')).status, 200, 'an operator needs a site');
  await save({ name: 'Dora D.', role: 'operator', 'site-1': '1' });
  assert.equal((await dora.get('/users')).status, 403);
  const entries = service.rows('select count(*) as n from audit')[0]?.n;
  await save({ name: 'Dora D.', role: 'operator', 'site-1': '1' });
  assert.equal(
    service.rows('select count(*) as n from audit')[0]?.n,
    entries,
    'saving without a change writes no audit entry',
  );
  assert.equal((await save({ name: ' ', role: 'admin' })).status, 422);
  assert.partialDeepStrictEqual({ ...user('dora@example.org') }, { name: 'Dora D.', role: 'operator' });
});

test('deactivating a user asks first, ends all sessions, and prevents logins until reactivation', async () => {
  const id = await addUser(service, 'emil@example.org', 'operator');
  const emil = await loggedIn(service, 'emil@example.org');
  const question = await admin.get(`/users/${id}/off`);
  assert.match(question.text, /Konto von emil deaktivieren\?.*button primary"[^>]*>Deaktivieren/s);
  assert.equal(await isInside(emil), true, 'the confirmation page changes nothing');
  await admin.post(`/users/${id}/off`, {});
  assert.equal(await isInside(emil), false);
  assert.notEqual((await makeWebClient(service).login('emil@example.org')).status, 303);
  assert.match((await admin.get('/users')).text, /deaktiviert/);
  await admin.post(`/users/${id}/on`, {});
  assert.equal(await isInside(emil), false, 'ended sessions stay ended');
  assert.equal((await makeWebClient(service).login('emil@example.org')).status, 303);
});

test('removing a user asks first, ends all sessions, and the vouchers stay as those of a removed user', async () => {
  const id = await addUser(service, 'rolf@example.org', 'operator');
  await admin.post(`/users/${id}`, { name: 'Rolf R.', role: 'operator', 'site-1': '1' });
  const rolf = await loggedIn(service, 'rolf@example.org');
  await rolf.post('/vouchers', { site: '1', name: 'Tagung', count: '2' });
  assert.match((await admin.get('/vouchers')).text, /Rolf R\./);
  assert.match((await admin.get(`/users/${id}`)).text, new RegExp(`href="/users/${id}/remove"`));
  assert.match((await admin.get(`/users/${id}/remove`)).text, /Rolf R\. entfernen\?.*nicht rückgängig/s);
  assert.equal(await isInside(rolf), true, 'the confirmation page changes nothing');

  assert.equal((await admin.post(`/users/${id}/remove`, {})).location, '/users');
  const { text } = await admin.get('/users');
  assert.match(text, /Der Benutzer ist entfernt/);
  assert.doesNotMatch(text, /rolf|Rolf|removed/);
  assert.equal(await isInside(rolf), false);
  assert.notEqual((await makeWebClient(service).login('rolf@example.org')).status, 303);
  for (const path of ['/vouchers', '/batches']) {
    const page = (await admin.get(path)).text;
    assert.match(page, /Entfernter Benutzer/, path);
    assert.doesNotMatch(page, /Rolf/, path);
  }
  assert.match((await admin.get('/audit')).text, /hat den Benutzer rolf@example\.org entfernt/);
  for (const page of [await admin.get(`/users/${id}`), await admin.post(`/users/${id}/remove`, {})])
    assert.equal(page.status, 404);
  assert.equal((await admin.post(`/users/${adminId}/remove`, {})).status, 409);
});

test('a link for a new password changes nothing until it is used, and then ends all sessions of the user', async () => {
  const id = await addUser(service, 'fred@example.org', 'operator');
  const fred = await loggedIn(service, 'fred@example.org');
  assert.match((await admin.get(`/users/${id}/password`)).text, /enden alle seine Sitzungen/);
  const { text } = await admin.post(`/users/${id}/password`, {});
  assert.equal(await isInside(fred), true);
  assert.match((await admin.get('/users')).text, /Link für neues Passwort gültig bis/);
  const path = secretIn(text).replace(service.url, '');
  assert.equal((await makeWebClient(service).post(path, { password: OWN_PASSWORD })).status, 303);
  assert.equal(await isInside(fred), false);
  assert.equal(await isInside(admin), true);
  assert.notEqual((await makeWebClient(service).login('fred@example.org', PASSWORD)).status, 303);
  assert.equal((await makeWebClient(service).login('fred@example.org', OWN_PASSWORD)).status, 303);
});

test('a deactivated user gets no link, and links made before no longer work', async () => {
  const made = await admin.post('/users/add', {
    name: 'Gerd',
    email: 'gerd@example.org',
    role: 'operator',
    'site-1': '1',
  });
  const path = secretIn(made.text).replace(service.url, '');
  const id = user('gerd@example.org')?.id;
  await admin.post(`/users/${id}/off`, {});
  assert.equal((await makeWebClient(service).get(path)).status, 404);
  assert.equal((await admin.post(`/users/${id}/password`, {})).status, 409);
  await admin.post(`/users/${id}/on`, {});
  assert.equal((await makeWebClient(service).get(path)).status, 404);
  assert.match((await admin.get(`/users/${id}`)).text, /Link abgelaufen.*Neuer Einladungslink/s);
});

test('administrators cannot demote or deactivate themselves or make a link for themselves', async () => {
  for (const path of ['off', 'password']) {
    assert.equal((await admin.get(`/users/${adminId}/${path}`)).status, 409);
    assert.equal((await admin.post(`/users/${adminId}/${path}`, {})).status, 409);
  }
  await admin.post(`/users/${adminId}`, { name: 'anna', role: 'operator' });
  assert.partialDeepStrictEqual({ ...user('anna@example.org') }, { role: 'admin', active: 1 });
  assert.equal(await isInside(admin), true);
});

test('an unknown or invalid user id gets 404', async () => {
  for (const id of ['999999', '0', 'x', '1e3', '-1', '99999999999999999999'])
    assert.equal((await admin.get(`/users/${id}`)).status, 404, id);
});

test('names that contain HTML are shown as text, in both languages', async () => {
  const name = '<img src=x onerror=alert(1)>';
  await admin.post('/users/add', { name, email: 'html@example.org', role: 'operator', 'site-1': '1' });
  const id = user('html@example.org')?.id;
  for (const path of ['/users', `/users/${id}`, `/users/${id}/off`, `/users/${id}/password`])
    for (const language of ['de', 'en']) {
      const { text } = await admin.get(path, { 'accept-language': language });
      assert.ok(text.includes('&lt;img src=x'), path);
      assert.ok(!text.includes('<img'), path);
      assert.match(text, new RegExp(`<html lang="${language}">`));
    }
});
