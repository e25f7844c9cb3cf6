// Tests the login by the header of a reverse proxy: only a trusted proxy signs in, only one clear header counts, and a
// session does not outlive a change of the user at the proxy.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../support/actors.ts';
import { rawRequest } from '../support/raw-request.ts';
import { requestFrom } from '../support/slow-requests.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, makeWebClient, type Page } from './web-client.ts';

const RITA = { 'remote-user': 'Rita@example.org' };
const KARL = { 'remote-user': 'karl@example.org' };
let service: TestService;
before(async () => {
  service = await startTestService({
    environment: { TRUSTED_PROXIES: '127.0.0.1', PROXY_AUTH_HEADER: 'Remote-User' },
  });
  for (const name of ['rita', 'karl', 'off']) await addUser(service, `${name}@example.org`, 'operator');
  service.change("update users set active = 0 where email = 'off@example.org'");
});
after(() => service.stop());

/** `fetch` always sends `Sec-Fetch-Mode: cors`. */
function makeBrowser(of: TestService, mode = 'navigate') {
  return makeWebClient(of, async (url, { method = 'GET', headers, body }) => {
    const type = 'application/x-www-form-urlencoded';
    const page = await requestFrom(url, {
      method,
      headers: {
        'content-type': type,
        ...(mode && { 'sec-fetch-mode': mode }),
        ...Object.fromEntries(new Headers(headers)),
      },
      ...(body && { body: String(body) }),
    });
    const received = Object.entries(page.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((one): [string, string] => [name, one]),
    );
    return new Response(page.text, { status: page.status, headers: received });
  });
}

const sessions = (of = service) => of.rows('select token_hash from web_sessions').length;
const fieldOf = ({ text }: Page, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
const lastReason = () => service.logLines.findLast(({ msg }) => msg === 'login failed')?.reason;

test('a trusted proxy signs an existing user in, who gets to the page that was asked for', async () => {
  const webClient = makeBrowser(service);
  const asked = await webClient.get('/vouchers?q=x', RITA);
  const led = await webClient.get(asked.location ?? '', RITA);
  assert.equal(led.location, '/vouchers?q=x');
  assert.match((await webClient.get('/vouchers', RITA)).text, />rita</);
  assert.match((await service.call('GET', '/metrics')).text, /gastpass_logins_total\{result="success"\} 1\n/);
});

test('only a user who opens the page is signed in, not a script, an image or a program', async () => {
  const before = sessions();
  const tries: [mode: string, accept: string][] = [
    ['cors', 'text/html'],
    ['no-cors', 'text/html'],
    ['same-origin', 'text/html'],
    ['', '*/*'],
    ['', 'application/json'],
  ];
  for (const [mode, accept] of tries) {
    const page = await makeBrowser(service, mode).get('/login', { ...KARL, accept });
    assert.deepEqual([page.status, page.headers.has('location')], [200, false], `${mode} ${accept}`);
  }
  assert.equal(sessions(), before);
  const old = await makeBrowser(service, '').get('/login', { ...KARL, 'user-agent': 'old' });
  assert.equal(old.status, 303, 'a browser without the header');
  assert.equal(sessions(), before + 1);
});

test('a client without cookies gets the same session again for an hour, unless it was ended', async () => {
  const open = async (agent: string, user = KARL) => {
    const browser = makeBrowser(service);
    await browser.get('/login', { ...user, 'user-agent': agent });
    return browser.cookies.get('gastpass');
  };
  const before = sessions();
  const first = await open('A');
  assert.equal(await open('A'), first);
  assert.equal(sessions(), before + 1);
  assert.notEqual(await open('B'), first);
  assert.notEqual(await open('A', RITA), first);
  service.change('delete from web_sessions');
  const second = await open('A');
  assert.notEqual(second, first);
  service.clock.advance(3_600_000);
  assert.notEqual(await open('A'), second);
});

test('guesses at the password share one throttle in all sessions and on all devices that the proxy made known', async () => {
  const userId = await addUser(service, 'guessed@example.org', 'operator');
  const enter = async (agent: string) => {
    const browser = makeBrowser(service);
    const user = { 'remote-user': 'guessed@example.org', 'user-agent': agent };
    await browser.get('/login', user);
    const token = fieldOf(await browser.get('/account', user), 'token');
    const fields = { token, 'current-password': 'falsch', 'next-password': 'lang genug ist das' };
    const guess = async () => (await browser.post('/account/password', fields, user)).text;
    return { device: browser.cookies.get(`gastpass-device-${userId}`) ?? '', guess };
  };
  const [first, second] = [await enter('first'), await enter('second')];
  for (let tries = 0; tries < 10; tries++) assert.match(await first.guess(), /Passwort stimmt nicht/);
  assert.match(await second.guess(), /Zu viele/);
  const elsewhere = makeWebClient(service);
  elsewhere.cookies.set(`gastpass-device-${userId}`, second.device);
  assert.equal((await elsewhere.login('guessed@example.org', 'falsch')).status, 429);
});

test('a user who is unknown or disabled is not signed in', async () => {
  const before = sessions();
  for (const email of ['nobody@example.org', 'off@example.org']) {
    const page = await makeBrowser(service).get('/login', { 'remote-user': email });
    assert.equal(page.status, 403);
    assert.match(page.text, /Proxy.*Verwaltung/);
    assert.equal(lastReason(), 'proxy-user-unknown');
  }
  assert.equal(sessions(), before);
});

test('a header that is there twice or contains no address is refused', async () => {
  const before = sessions();
  const twice = await rawRequest(
    service.url,
    'GET /login HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nRemote-User: karl@example.org\r\nremote-user: rita@example.org\r\nConnection: close\r\n\r\n',
  );
  assert.match(twice, /^HTTP\/1\.1 400 /);
  assert.equal(lastReason(), 'proxy-header-wrong');
  for (const value of ['rita', 'rita@example.org, karl@example.org', 'rita@example.org,karl@example.org'])
    assert.equal((await makeBrowser(service).get('/login', { 'remote-user': value })).status, 400, value);
  assert.equal(sessions(), before);
});

test('a header that only looks like the address of a user is refused', async () => {
  const before = sessions();
  const attempts: [string, BufferEncoding][] = [
    ['\u212Aarl@example.org', 'utf8'],
    ['k\u0131arl@example.org', 'utf8'],
    ['karl@exam\u00adple.org', 'utf8'],
    ['karl@exam\u00adple.org', 'latin1'],
    ['karl@münchen.de', 'utf8'],
    ['karl@münchen.de', 'latin1'],
    ['karl@example.org.', 'utf8'],
    ['"karl"@example.org', 'utf8'],
  ];
  for (const [value, encoding] of attempts) {
    const head = `GET /login HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\nRemote-User: ${value}\r\nConnection: close\r\n\r\n`;
    assert.match(await rawRequest(service.url, Buffer.from(head, encoding)), /^HTTP\/1\.1 400 /, value);
    assert.equal(lastReason(), 'proxy-header-wrong');
  }
  assert.equal(sessions(), before);
});

test('a session that the proxy began is not used when the proxy names another user', async () => {
  const webClient = makeBrowser(service);
  await webClient.get('/login', RITA);
  assert.match((await webClient.get('/vouchers', RITA)).text, />rita</);
  assert.match(String((await webClient.get('/vouchers', KARL)).location), /^\/login/);
  const twice = await rawRequest(
    service.url,
    `GET /vouchers HTTP/1.1\r\nHost: x\r\nCookie: gastpass=${webClient.cookies.get('gastpass')}\r\nRemote-User: rita@example.org\r\nRemote-User: rita@example.org\r\nConnection: close\r\n\r\n`,
  );
  assert.match(twice, /^HTTP\/1\.1 303 /);
  assert.match(
    String((await webClient.get('/vouchers')).location),
    /^\/login/,
    'without the header, a stolen cookie is of no use',
  );
  await webClient.get('/login', KARL);
  assert.match((await webClient.get('/vouchers', KARL)).text, />karl</);
});

test('the password form stays reachable, and a logout does not sign in again at once', async () => {
  const webClient = makeBrowser(service);
  assert.match((await webClient.get('/login?local', RITA)).text, /name="password"/);
  await webClient.get('/login', RITA);
  const token = /name="token" value="([^"]+)"/.exec((await webClient.get('/vouchers', RITA)).text)?.[1];
  const left = await webClient.post('/logout', { token: token ?? '' }, RITA);
  assert.equal(left.location, '/login?local');
  assert.equal((await webClient.get('/login?local', RITA)).status, 200);
  const local = await loggedIn(service, 'karl@example.org');
  assert.match((await local.get('/vouchers', RITA)).text, />karl</);
});

test('no second factor is asked for: the proxy is responsible for it', async () => {
  const decide = (secondFactorFor: 'everyone' | 'nobody') =>
    service.beside.settings.change({ secondFactorFor }, { actor: TESTER, atMs: service.clock.nowMs() });
  await decide('everyone');
  const webClient = makeBrowser(service);
  await webClient.get('/login', RITA);
  assert.equal((await webClient.get('/vouchers', RITA)).status, 200);
  await decide('nobody');
});

for (const [what, environment] of Object.entries({
  'the peer is not a trusted proxy': { TRUSTED_PROXIES: '192.0.2.1', PROXY_AUTH_HEADER: 'Remote-User' },
  'no header is set up': { TRUSTED_PROXIES: '127.0.0.1' },
}))
  test(`nobody is signed in by the header if ${what}`, async () => {
    const other = await startTestService({ environment });
    try {
      await addUser(other, 'rita@example.org', 'admin');
      const forwarded = { ...RITA, 'x-forwarded-for': '192.0.2.1' };
      for (const headers of [RITA, forwarded]) {
        const page = await makeBrowser(other).get('/login', headers);
        assert.match(page.text, /name="password"/);
        assert.match(String((await makeBrowser(other).get('/vouchers', headers)).location), /^\/login/);
      }
      assert.equal(sessions(other), 0);
    } finally {
      await other.stop();
    }
  });
