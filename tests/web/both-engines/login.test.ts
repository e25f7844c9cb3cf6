// Tests logging in: correct and wrong passwords, the login throttle, the lifetime of a session, and its cookie.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { hashPassword } from '../../../src/kernel/users/password.ts';
import { TESTER } from '../../support/actors.ts';
import { dumpRecords } from '../../support/disturb-records.ts';
import { requestFrom } from '../../support/slow-requests.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD } from '../web-client.ts';

const MINUTE_MS = 60_000;

let service: TestService;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  for (const name of ['ada', 'ben', 'cleo', 'dora', 'emil'])
    await addUser(service, `${name}@example.org`, 'operator');
});
after(() => service.stop());

/** Sends requests as if through a proxy, so that each test logs in from its own IP address. */
function webClientFrom(ip: string) {
  const webClient = makeWebClient(service);
  return {
    ...webClient,
    login: (email: string, password = PASSWORD) =>
      webClient.post('/login', { email, password }, { 'x-forwarded-for': ip }),
  };
}

test('a login ignores the case of the e-mail address and leads to the requested page', async () => {
  const webClient = makeWebClient(service);
  const door = await webClient.get('/vouchers?q=12');
  assert.equal(door.location, '/login?next=%2Fvouchers%3Fq%3D12');
  const inside = await webClient.post('/login', {
    email: ' ADA@Example.org',
    password: PASSWORD,
    next: '/vouchers?q=12',
  });
  assert.deepEqual([inside.status, inside.location], [303, '/vouchers?q=12']);
  assert.equal((await webClient.get('/vouchers')).status, 200);
});

test('a login never redirects to another host', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)']) {
    const { location } = await makeWebClient(service).post('/login', {
      email: 'ada@example.org',
      password: PASSWORD,
      next,
    });
    assert.equal(location, '/', next);
  }
});

test('a wrong password and an unknown user get the same response', async () => {
  const responses = [];
  for (const email of ['ada@example.org', 'nobody@example.org']) {
    const { status, text } = await webClientFrom('192.0.2.1').login(email, 'falsches Passwort');
    responses.push([status, text.replaceAll(email, '').replace(/value="[^"]*"/g, '')]);
  }
  assert.equal(responses[0]?.[0], 401);
  assert.deepEqual(responses[0], responses[1]);
});

const guess = (ip: string, email: string) => webClientFrom(ip).login(email, 'falsch');

test('guesses at an account are throttled for their network only, and not permanently', async () => {
  const email = 'ben@example.org';
  for (let turn = 0; turn < 5; turn++) assert.equal((await guess('192.0.2.10', email)).status, 401);
  const refused = await webClientFrom('192.0.2.10').login(email);
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) >= 1);
  assert.equal((await webClientFrom('192.0.2.20').login(email)).status, 303);
  service.clock.advance(16 * MINUTE_MS);
  assert.equal((await webClientFrom('192.0.2.10').login(email)).status, 303);
});

test('all ways to write an address share one throttle, whether or not somebody has the address', async () => {
  for (const name of ['ida', 'old']) await addUser(service, `${name}@xn--zrich-kva.ch`, 'operator');
  // Earlier releases stored the domain as it was typed.
  service.change("update users set email = 'old@zürich.ch' where email like 'old@%'");
  const counts = (name: string) =>
    service
      .rows(`select count from sign_in_failures where subject like 'account-network ${name}@%'`)
      .map(({ count }) => Number(count));
  for (const name of ['ida', 'old', 'stranger']) {
    for (const domain of ['zürich.ch', 'xn--zrich-kva.ch']) await guess('192.0.2.30', `${name}@${domain}`);
    assert.deepEqual(counts(name), [2], name);
  }
  await service.beside.users.unlock('old@zürich.ch', { actor: TESTER, atMs: service.clock.nowMs() });
  assert.deepEqual(counts('old'), []);
});

test('guesses from one network are throttled, while other networks and known devices can log in', async () => {
  for (let guest = 0; guest < 5; guest++) await addUser(service, `guest${guest}@example.org`, 'operator');
  const known = webClientFrom('192.0.2.99');
  assert.equal((await known.login('cleo@example.org')).status, 303);
  known.cookies.delete('gastpass');
  for (let turn = 0; turn < 20; turn++)
    assert.equal((await guess('192.0.2.99', `guest${turn % 5}@example.org`)).status, 401);
  assert.equal((await webClientFrom('192.0.2.99').login('cleo@example.org')).status, 429);
  assert.equal((await webClientFrom('192.0.2.98').login('cleo@example.org')).status, 303);
  assert.equal((await known.login('cleo@example.org')).status, 303);
  assert.equal((await webClientFrom('192.0.2.99').login('cleo@example.org')).status, 303, 'a success clears');
});

test('an attack from very many networks gets 100 checks an hour, and known devices can log in', async () => {
  const email = 'attacked@example.org';
  await addUser(service, email, 'operator');
  const known = webClientFrom('192.0.2.1');
  assert.equal((await known.login(email)).status, 303);
  known.cookies.delete('gastpass');
  const statuses = [];
  for (let network = 0; network < 5; network++)
    statuses.push((await guess(`198.51.100.${network}`, email)).status);
  // Ninety more networks, without their 90 password checks.
  for (let network = 5; network < 95; network++)
    await service.beside.loginThrottle.noteFailure('account-total', email, service.clock.nowMs());
  for (let network = 95; network < 110; network++)
    statuses.push((await guess(`198.51.100.${network}`, email)).status);
  assert.deepEqual(statuses, [...Array(10).fill(401), ...Array(10).fill(429)]);
  const unknown = await webClientFrom('192.0.2.2').login(email);
  assert.equal(unknown.status, 429);
  assert.match(unknown.text, /Gerät benutzen, auf dem .* oder die Verwaltung informieren/);
  assert.equal((await known.login(email)).status, 303);
  service.clock.advance(60 * MINUTE_MS);
  assert.equal((await guess('192.0.2.3', email)).status, 401, 'failures that are forgotten do not count on');
  assert.equal((await webClientFrom('192.0.2.2').login(email)).status, 303);
});

test('an attacker with an IPv6 /48 gets 20 checks of an account, and locks out no other network', async () => {
  const email = 'prefix@example.org';
  await addUser(service, email, 'operator');
  assert.equal((await guess('2001:db8:0:1::1', email)).status, 401);
  // Eighteen more networks, without their 18 password checks.
  for (let network = 2; network < 20; network++)
    await service.beside.loginThrottle.noteFailure(
      'account-prefix',
      `${email} 2001:db8::/48`,
      service.clock.nowMs(),
    );
  const statuses = [];
  for (const network of [20, 21]) statuses.push((await guess(`2001:db8:0:${network}::1`, email)).status);
  assert.deepEqual(statuses, [401, 429]);
  assert.equal((await webClientFrom('2001:db8:1::1').login(email)).status, 303);
});

test('a new password forgets the failures and makes old devices unknown', async () => {
  const email = 'reset@example.org';
  await addUser(service, email, 'operator');
  const known = webClientFrom('192.0.2.30');
  await known.login(email);
  known.cookies.delete('gastpass');
  for (let turn = 0; turn < 5; turn++) await guess('192.0.2.30', email);
  assert.equal((await webClientFrom('192.0.2.30').login(email)).status, 429);
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  await service.beside.users.setPassword(email, { passwordHash: await hashPassword(PASSWORD), audit });
  assert.equal((await webClientFrom('192.0.2.30').login(email)).status, 303);
  for (let turn = 0; turn < 5; turn++) await guess('192.0.2.30', email);
  assert.equal((await known.login(email)).status, 429, 'the device is unknown now');
});

test('a known device has its own throttle, and its cookie is valid for its user only', async () => {
  const [email, other] = ['own@example.org', 'other@example.org'];
  for (const address of [email, other]) await addUser(service, address, 'operator');
  const known = webClientFrom('192.0.2.40');
  await known.login(email);
  known.cookies.delete('gastpass');
  for (let turn = 0; turn < 10; turn++) assert.equal((await known.login(email, 'falsch')).status, 401);
  assert.equal((await known.login(email)).status, 429);
  const [row] = service.rows(`select id from users where email = '${other}'`);
  const [cookie = ''] = [...known.cookies]
    .filter(([name]) => name.includes('device'))
    .map(([, value]) => value);
  known.cookies.set(`gastpass-device-${row?.id}`, cookie);
  for (let turn = 0; turn < 5; turn++) await guess('192.0.2.40', other);
  assert.equal((await known.login(other)).status, 429);
});

test('logins are logged with the account and the reason, counted, and failures are in the audit log', async () => {
  const email = 'watched@example.org';
  await addUser(service, email, 'operator');
  await guess('192.0.2.50', email);
  const line = service.logLines.findLast(({ msg }) => msg === 'login failed');
  assert.partialDeepStrictEqual(line, {
    level: 'warn',
    account: email,
    ip: '192.0.2.50',
    reason: 'wrong-credentials',
  });
  const responded = service.logLines.find(
    ({ msg, requestId }) => msg === 'answered' && requestId === line?.requestId,
  );
  assert.equal(responded?.route, '/login');
  const metrics = (await service.call('GET', '/metrics')).text;
  assert.match(metrics, /gastpass_logins_total\{result="wrong-credentials"\} [1-9]/);
  const webClient = await loggedIn(service, email);
  await webClient.post('/logout', {});
  const actions = service.rows(
    `select actor, action from audit where subject like '%(${email})' order by id`,
  );
  assert.deepEqual(
    actions.map(({ actor, action }) => `${actor} ${action}`),
    ['Unknown user.sign-in-failed', 'Web: watched user.signed-in', 'Web: watched user.signed-out'],
  );
});

test('a session ends after an hour without a request, and after twelve hours in any case', async () => {
  const idle = await loggedIn(service, 'dora@example.org');
  service.clock.advance(61 * MINUTE_MS);
  assert.equal((await idle.get('/')).status, 303);

  const busy = await loggedIn(service, 'dora@example.org');
  for (let visits = 0; visits < 14; visits++) {
    service.clock.advance(50 * MINUTE_MS);
    assert.equal((await busy.get('/')).status, 200, `after ${50 * (visits + 1)} minutes`);
  }
  service.clock.advance(25 * MINUTE_MS);
  assert.equal((await busy.get('/')).status, 303);
});

test('a new login in the same browser ends the session that it replaces', async () => {
  const webClient = await loggedIn(service, 'emil@example.org');
  const old = webClient.cookies.get('gastpass') ?? '';
  assert.equal((await webClient.login('emil@example.org')).status, 303);
  assert.equal((await webClient.get('/account')).status, 200);
  webClient.cookies.set('gastpass', old);
  assert.equal((await webClient.get('/account')).status, 303);
});

test('logging out ends the session, even if the cookie was kept', async () => {
  const webClient = await loggedIn(service, 'dora@example.org');
  const kept = new Map(webClient.cookies);
  assert.equal((await webClient.post('/logout', {})).location, '/login');
  for (const [name, value] of kept) webClient.cookies.set(name, value);
  assert.equal((await webClient.get('/')).status, 303);
});

test('a password change ends all other sessions and keeps the current one', async () => {
  const here = await loggedIn(service, 'emil@example.org');
  const elsewhere = await loggedIn(service, 'emil@example.org');
  const wrong = await here.post('/account/password', {
    'current-password': 'x',
    'next-password': 'lang genug ist das',
  });
  assert.equal(wrong.status, 422);
  const short = await here.post('/account/password', {
    'current-password': PASSWORD,
    'next-password': 'kurz',
  });
  assert.equal(short.status, 422);
  assert.equal((await elsewhere.get('/')).status, 200);
  const thief = makeWebClient(service);
  thief.cookies.set('gastpass', here.cookies.get('gastpass') ?? '');
  assert.equal((await thief.get('/')).status, 200);
  const changed = await here.post('/account/password', {
    'current-password': PASSWORD,
    'next-password': 'lang genug ist das',
  });
  assert.equal(changed.status, 303);
  assert.equal((await elsewhere.get('/')).status, 303);
  assert.equal((await here.get('/')).status, 200);
  assert.equal((await thief.get('/')).status, 303, 'a copy of the cookie');
  assert.equal((await makeWebClient(service).login('emil@example.org', 'lang genug ist das')).status, 303);
});

test('a new password that is easy to guess is refused, also if it is made of the own name', async () => {
  const webClient = await loggedIn(service, 'ada@example.org');
  for (const [next, reason] of [
    ['Sommer2024!', /probieren Angreifer zuerst. Besser: vier Wörter/],
    ['gastpass-ada-1', /aus dem Namen, .* erraten/],
  ] as const) {
    const { status, text } = await webClient.post('/account/password', {
      'current-password': PASSWORD,
      'next-password': next,
    });
    assert.equal(status, 422);
    assert.match(text, reason);
  }
  assert.equal((await makeWebClient(service).login('ada@example.org')).status, 303);
});

test('guesses at the current password in an open session are throttled like logins', async () => {
  const email = 'guessed@example.org';
  await addUser(service, email, 'operator');
  const webClient = await loggedIn(service, email);
  const wrong = () =>
    webClient.post('/account/password', {
      'current-password': 'falsch',
      'next-password': 'lang genug ist das',
    });
  for (let tries = 0; tries < 10; tries++) assert.match((await wrong()).text, /Passwort stimmt nicht/);
  assert.match((await wrong()).text, /Zu viele|warten|Sekunde/);
});

test('an error page links back to the previous page, and never to another host', async () => {
  const webClient = makeWebClient(service);
  const get = async (referer: string) => (await webClient.get('/nowhere', { referer })).text;
  assert.match(await get(`${service.url}/settings?x=1`), /href="\/settings\?x=1">Zurück</);
  for (const referer of [
    'https://example.org/settings',
    `${service.url}//example.org/`,
    'x',
    `${service.url}/nowhere`,
  ])
    assert.doesNotMatch(await get(referer), /Zurück/, referer);
});

test('over HTTPS browsers are told to use HTTPS only, for this host', async () => {
  const get = (proto: string) => makeWebClient(service).get('/login', { 'x-forwarded-proto': proto });
  assert.equal((await get('https')).headers.get('strict-transport-security'), 'max-age=15552000');
  assert.equal((await get('http')).headers.get('strict-transport-security'), null);
});

test('a very long e-mail address is refused and not stored in full', async () => {
  const { status } = await webClientFrom('192.0.2.60').login(`${'x'.repeat(10_000)}@example.org`);
  assert.equal(status, 401);
  const [row] = service.rows('select max(length(subject)) as length from sign_in_failures');
  assert.ok(Number(row?.length) < 400);
});

test('over HTTPS the cookie is restricted to this host and to HTTPS', async () => {
  const webClient = makeWebClient(service);
  const page = await webClient.get('/login', { 'x-forwarded-proto': 'https' });
  const cookie = page.headers.getSetCookie()[0] ?? '';
  assert.match(cookie, /^__Host-gastpass-visitor=[\w-]+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
  const plain = await requestFrom(`${service.url}/login`, { headers: { host: 'gastpass.internal' } });
  assert.match(plain.text, /nicht verschlüsselt/);
  assert.doesNotMatch(
    (await makeWebClient(service).get('/login')).text,
    /nicht verschlüsselt/,
    'on this machine',
  );
  assert.doesNotMatch(page.text, /nicht verschlüsselt/);
});

test('tokens and passwords are neither stored in plain text nor logged', async () => {
  const webClient = await loggedIn(service, 'ada@example.org');
  const token = webClient.cookies.get('gastpass') ?? '';
  assert.ok(token.length > 30);
  for (const secret of [token, PASSWORD]) {
    assert.ok(!dumpRecords(service).includes(secret));
    assert.ok(!JSON.stringify(service.logLines).includes(secret));
  }
});
