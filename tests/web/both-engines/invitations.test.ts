// Tests the links with which users set their password: they work once and for two days, opening them changes nothing,
// a newer link or any change of the password voids them, and their secret is not stored, logged or passed on.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeInvite } from '../../../src/kernel/users/invitations.ts';
import { hashPassword } from '../../../src/kernel/users/password.ts';
import type { User } from '../../../src/kernel/users/user.ts';
import { TESTER } from '../../support/actors.ts';
import { dumpRecords } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { enrol, SETUP } from '../enrolled.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD } from '../web-client.ts';

const HOUR_MS = 3_600_000;
const NEXT = 'vier Kühe tanzen nachts';
const VOID = /Dieser Link gilt nicht mehr.*Einen neuen Link erstellt die Verwaltung/s;

let service: TestService;
let user: User;
let made = 0;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());
beforeEach(async () => {
  const email = `user${++made}@example.org`;
  await addUser(service, email, 'operator');
  const found = await service.beside.users.findByEmail(email);
  assert.ok(found);
  user = found;
});

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
async function makeLink(): Promise<string> {
  const link = await makeInvite(service.beside).existingUser(user, audit());
  assert.ok(link);
  return `/invitation/${link.token}`;
}
const open = (path: string) => makeWebClient(service).get(path);
const use = (path: string, password = NEXT) => makeWebClient(service).post(path, { password });
const canLogin = async (password: string) =>
  (await makeWebClient(service).login(user.email, password)).status === 303;

async function assertVoid(path: string): Promise<void> {
  for (const page of [await open(path), await use(path, 'noch ein anderer Satz')]) {
    assert.equal(page.status, 404);
    assert.match(page.text, VOID);
  }
}

test('opening a link changes nothing, and using it sets the password once and signs the user in', async () => {
  const path = await makeLink();
  for (let previews = 0; previews < 3; previews++) {
    const { status, text } = await open(path);
    assert.equal(status, 200);
    assert.ok(text.includes(user.email));
  }
  const invited = makeWebClient(service);
  assert.equal((await invited.post(path, { password: NEXT })).location, '/');
  assert.match((await invited.get('/')).text, /Das Passwort ist gespeichert/);
  assert.ok((await invited.get('/account')).text.includes(user.email));
  assert.deepEqual([await canLogin(PASSWORD), await canLogin(NEXT)], [false, true]);
  await assertVoid(path);
  assert.equal(await canLogin(NEXT), true);
  const entries = service
    .rows(`select actor, action from audit where subject like '%(${user.email})' order by id`)
    .map(({ actor, action }) => `${actor}: ${action}`);
  const used = entries.indexOf(`Web: ${user.name}: user.password-link-used`);
  assert.equal(entries[used + 1], `Web: ${user.name}: user.signed-in`);
});

test('a user with a second factor enters its code first, and a user who still owes one sets it up first', async () => {
  const { nextCode } = await enrol(service, await loggedIn(service, user.email));
  const invited = makeWebClient(service);
  assert.match((await invited.post(await makeLink(), { password: NEXT })).location ?? '', /^\/login\/code\?/);
  assert.match((await invited.get('/account')).location ?? '', /^\/login\?/);
  assert.equal((await invited.post('/login/code', { code: nextCode() })).location, '/');
  assert.equal((await invited.get('/account')).status, 200);

  await service.beside.settings.change({ secondFactorFor: 'everyone' }, audit());
  await service.beside.secondFactors.remove(user, audit());
  const again = makeWebClient(service);
  assert.equal((await again.post(await makeLink(), { password: `${NEXT} 2` })).location, '/');
  assert.equal((await again.get('/')).location, SETUP);
  await service.beside.settings.change({ secondFactorFor: 'nobody' }, audit());
});

test('a link that is used in the browser of another user ends the session of that user', async () => {
  const email = `other${made}@example.org`;
  const id = await addUser(service, email, 'operator');
  const browser = await loggedIn(service, email);
  const path = await makeLink();
  assert.match((await browser.get(path)).text, new RegExp(`ist other${made} angemeldet`));
  assert.ok((await browser.get('/account')).text.includes(email), 'opening the link changes nothing');
  await browser.post(path, { password: NEXT });
  assert.ok((await browser.get('/account')).text.includes(user.email));
  assert.deepEqual(service.rows(`select user_id from web_sessions where user_id = ${id}`), []);
});

test('the session of another user also ends if the code of a second factor is still to come', async () => {
  const { nextCode } = await enrol(service, await loggedIn(service, user.email));
  const email = `other${made}@example.org`;
  const id = await addUser(service, email, 'operator');
  const browser = await loggedIn(service, email);
  const { location } = await browser.post(await makeLink(), { password: NEXT });
  assert.deepEqual(service.rows(`select user_id from web_sessions where user_id = ${id}`), []);
  const codePage = await browser.get(location ?? '');
  assert.deepEqual([codePage.status, codePage.location], [200, null]);
  assert.match(codePage.text, /name="code"/);
  assert.match((await browser.get('/account')).location ?? '', /^\/login\?/);
  assert.equal((await browser.post('/login/code', { code: nextCode() })).location, '/');
  assert.ok((await browser.get('/account')).text.includes(user.email));
});

test('the code page is shown for a pending login, even if another user is signed in', async () => {
  await enrol(service, await loggedIn(service, user.email));
  const email = `other${made}@example.org`;
  await addUser(service, email, 'operator');
  const browser = await loggedIn(service, email);
  const { location } = await browser.login(user.email);
  const { status, text } = await browser.get(location ?? '');
  assert.equal(status, 200);
  assert.match(text, /name="code"/);
  assert.doesNotMatch(text, /action="\/logout"/);
});

test('of many requests that use a link at the same time, one succeeds', async () => {
  const path = await makeLink();
  const clients = await Promise.all([1, 2, 3, 4].map(() => loggedIn(service, user.email)));
  const pages = await Promise.all(clients.map((client) => client.post(path, { password: NEXT })));
  const [success, ...others] = pages.map(({ status }) => status).toSorted();
  assert.equal(success, 303);
  // The new password ends the other sessions, so a request that comes later has no valid form token either: 403.
  for (const status of others) assert.ok([403, 404].includes(status), String(status));
});

test('a link ends after 48 hours', async () => {
  const path = await makeLink();
  service.clock.advance(48 * HOUR_MS - 1);
  assert.equal((await open(path)).status, 200);
  service.clock.advance(1);
  await assertVoid(path);
  assert.equal(await canLogin(PASSWORD), true);
});

test('a link that was made while the clock was ahead is void', async () => {
  service.clock.advance(800 * 24 * HOUR_MS);
  const path = await makeLink();
  service.clock.advance(-800 * 24 * HOUR_MS);
  await assertVoid(path);
});

test('a changed e-mail address voids a link', async () => {
  const path = await makeLink();
  await service.beside.users.changeEmail(user.id, `new${made}@example.org`, audit());
  await assertVoid(path);
});

test('a newer link and any change of the password void a link', async () => {
  const first = await makeLink();
  const second = await makeLink();
  await assertVoid(first);
  assert.equal((await open(second)).status, 200);
  const passwordHash = await hashPassword('von anderer Stelle gesetzt');
  // As an instance of an earlier release does, which does not know about links.
  service.change(`update users set password_hash = '${passwordHash}' where email = '${user.email}'`);
  await assertVoid(second);
  assert.equal(await canLogin('von anderer Stelle gesetzt'), true);
});

test('a password that is easy to guess is refused, and the link stays valid', async () => {
  const path = await makeLink();
  const { status, text } = await use(path, 'passwort123');
  assert.equal(status, 422);
  assert.match(text, /probieren Angreifer zuerst/);
  assert.equal((await use(path, `${user.name}-gastpass`)).status, 422);
  assert.equal((await use(path)).status, 303);
});

test('the form needs its token, and made-up links show no account', async () => {
  const path = await makeLink();
  assert.equal((await makeWebClient(service).post(path, { password: NEXT, token: 'x' })).status, 403);
  assert.equal((await open(path)).status, 200);
  for (const token of ['x', '%00', 'a'.repeat(5_000)])
    assert.equal((await open(`/invitation/${token}`)).status, 404, token);
});

test('the secret of a link is neither stored nor logged nor sent on by the browser', async () => {
  const path = await makeLink();
  const { headers } = await open(path);
  assert.equal(headers.get('referrer-policy'), 'strict-origin');
  assert.equal(headers.get('cache-control'), 'no-store');
  await use(path, 'kurz');
  await use(path);
  const secret = path.split('/').at(-1) ?? '';
  assert.equal(secret.length, 43);
  assert.ok(!dumpRecords(service).includes(secret));
  assert.ok(!JSON.stringify(service.logLines).includes(secret));
  assert.ok(service.logLines.some(({ route }) => route === '/invitation/:token'));
});
