// Tests the links with which users set their password: they work once and for two days, opening them changes nothing,
// a newer link or any change of the password voids them, and their secret is not stored, logged or passed on.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { makeInvite } from '../../../src/domain/users/invitations.ts';
import { hashPassword } from '../../../src/domain/users/password.ts';
import type { User } from '../../../src/domain/users/user.ts';
import { TESTER } from '../../support/actors.ts';
import { dumpRecords } from '../../support/disturb-records.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
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

test('opening a link changes nothing, and using it sets the password once', async () => {
  const path = await makeLink();
  for (let previews = 0; previews < 3; previews++) {
    const { status, text } = await open(path);
    assert.equal(status, 200);
    assert.ok(text.includes(user.email));
  }
  assert.match((await use(path)).text, /Das Passwort ist gespeichert/);
  assert.deepEqual([await canLogin(PASSWORD), await canLogin(NEXT)], [false, true]);
  await assertVoid(path);
  assert.equal(await canLogin(NEXT), true);
  const [entry] = service.rows(
    `select actor, action from audit where subject like '%(${user.email})' and action like '%link-used'`,
  );
  assert.deepEqual({ ...entry }, { actor: `Web: ${user.name}`, action: 'user.password-link-used' });
});

test('of many requests that use a link at the same time, one succeeds', async () => {
  const path = await makeLink();
  const clients = await Promise.all([1, 2, 3, 4].map(() => loggedIn(service, user.email)));
  const pages = await Promise.all(clients.map((client) => client.post(path, { password: NEXT })));
  const [success, ...others] = pages.map(({ status }) => status).toSorted();
  assert.equal(success, 200);
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
  assert.equal((await use(path)).status, 200);
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
