// Tests the lists of sessions, ending them as the user and as an administrator, and staying signed in.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { enrol } from '../enrolled.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from '../web-client.ts';

const DAY_MS = 24 * 3_600_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0';
const STAYS = /^gastpass=[^;]+; Max-Age=2592000;/;

let service: TestService;
let admin: WebClient;
let email: string;
let userId: number;
let made = 0;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  await addUser(service, 'anna@example.org', 'admin');
});
after(() => service.stop());
beforeEach(async () => {
  email = `user${++made}@example.org`;
  userId = await addUser(service, email, 'operator');
  admin = await loggedIn(service, 'anna@example.org');
});

const isInside = async (webClient: WebClient) => (await webClient.get('/account')).status === 200;
const sessionCookieOf = (headers: Headers) =>
  headers.getSetCookie().find((line) => line.startsWith('gastpass=')) ?? '';
async function loginStaying(): Promise<{ webClient: WebClient; cookie: string }> {
  const webClient = makeWebClient(service);
  const { headers } = await webClient.post('/login', { email, password: PASSWORD, stay: '1' });
  return { webClient, cookie: sessionCookieOf(headers) };
}

test('the user sees each session with browser, system, IP address and the last request', async () => {
  const webClient = makeWebClient(service);
  const from = { 'user-agent': FIREFOX, 'x-forwarded-for': '192.0.2.7' };
  await webClient.post('/login', { email, password: PASSWORD }, from);
  const { text } = await webClient.get('/account', { 'x-forwarded-for': '192.0.2.7' });
  assert.match(text, /Firefox, Windows.*192\.0\.2\.7 · zuletzt .*seit .*dieses Gerät/s);
  service.clock.advance(10 * 60_000);
  await webClient.get('/', { 'x-forwarded-for': '192.0.2.8' });
  assert.match((await webClient.get('/account')).text, /192\.0\.2\.8 · zuletzt/);
});

test('the last request is recorded at most every five minutes', async () => {
  const webClient = await loggedIn(service, email);
  const seen = () =>
    service.rows(`select seen_at_ms from web_sessions where user_id = ${userId}`)[0]?.seen_at_ms;
  const before = seen();
  service.clock.advance(299_999);
  await webClient.get('/');
  assert.equal(seen(), before);
  service.clock.advance(1);
  await webClient.get('/');
  assert.notEqual(seen(), before);
});

test('an administrator sees and ends the sessions of a user, one or all, and it is audited', async () => {
  const [first, second, third] = [
    await loggedIn(service, email),
    await loggedIn(service, email),
    await loggedIn(service, email),
  ];
  const page = await admin.get(`/users/${userId}`);
  const [session = ''] = /(?<=name="session" value=")[^"]+/.exec(page.text) ?? [];
  const path = `/users/${userId}/sessions/end`;
  await admin.post(path, { session });
  const inside = await Promise.all([first, second, third].map(isInside));
  assert.equal(inside.filter(Boolean).length, 2);
  assert.equal((await admin.post(path, {})).location, `/users/${userId}`);
  assert.deepEqual(await Promise.all([first, second, third].map(isInside)), [false, false, false]);
  assert.ok(await isInside(admin));
  assert.match((await admin.get(`/users/${userId}`)).text, /Zurzeit nirgends angemeldet/);
  const entries = service.rows(
    `select actor from audit where action = 'user.session-ended' and subject like '%(${email})'`,
  );
  assert.deepEqual(
    entries.map(({ actor }) => actor),
    ['Web: anna', 'Web: anna'],
  );
});

test('users end their other sessions at once, and not those of others', async () => {
  const [here, elsewhere, third] = [
    await loggedIn(service, email),
    await loggedIn(service, email),
    await loggedIn(service, email),
  ];
  for (const { token_hash } of service.rows('select token_hash from web_sessions where user_id = 1'))
    await here.post('/account/sessions/end', { session: String(token_hash) });
  assert.ok(await isInside(admin));
  assert.equal((await here.post('/account/sessions/end', {})).location, '/account');
  assert.deepEqual(await Promise.all([here, elsewhere, third, admin].map(isInside)), [
    true,
    false,
    false,
    true,
  ]);
});

test('ending the other sessions also ends a copy of the own one, which stays signed in as before', async () => {
  const { webClient } = await loginStaying();
  const thief = makeWebClient(service);
  thief.cookies.set('gastpass', webClient.cookies.get('gastpass') ?? '');
  assert.ok(await isInside(thief));
  const row = () => {
    const [{ token_hash, ...kept } = {}] = service.rows(
      `select * from web_sessions where user_id = ${userId}`,
    );
    return kept;
  };
  const before = row();
  const { headers } = await webClient.post('/account/sessions/end', {});
  assert.match(sessionCookieOf(headers), STAYS);
  assert.deepEqual([await isInside(webClient), await isInside(thief)], [true, false]);
  assert.deepEqual(row(), before);
});

test('"stay signed in" keeps the session for 30 days after the last request, also in the browser', async () => {
  const { webClient, cookie } = await loginStaying();
  assert.match(cookie, STAYS);
  for (let turn = 0; turn < 3; turn++) {
    service.clock.advance(29 * DAY_MS);
    const { status, headers } = await webClient.get('/');
    assert.equal(status, 200);
    assert.match(sessionCookieOf(headers), STAYS, 'the cookie is renewed');
  }
  assert.match((await webClient.get('/account')).text, /bleibt angemeldet/);
  service.clock.advance(30 * DAY_MS);
  assert.equal((await webClient.get('/')).status, 303);
});

test('without the choice the cookie ends with the browser', async () => {
  const { headers } = await makeWebClient(service).login(email);
  assert.doesNotMatch(sessionCookieOf(headers), /max-age|expires/i);
});

test('the choice is kept when a code is asked, and when the password was wrong', async () => {
  const { nextCode } = await enrol(service, await loggedIn(service, email));
  const webClient = makeWebClient(service);
  const wrong = await webClient.post('/login', { email, password: 'falsch', stay: '1' });
  assert.match(wrong.text, /name="stay" value="1" checked/);
  const { location } = await webClient.post('/login', { email, password: PASSWORD, stay: '1' });
  const codePage = await webClient.get(location ?? '');
  assert.match(codePage.text, /<input type="hidden" name="stay" value="1">/);
  const { headers } = await webClient.post('/login/code', { code: nextCode(), stay: '1' });
  assert.match(sessionCookieOf(headers), STAYS);
});
