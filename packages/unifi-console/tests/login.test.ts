// Logins: cookies, the signed token with its CSRF claim, wrong credentials, the limit of login attempts, and the end of
// sessions.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { cookiesOf, openSession, type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

const CREATE = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60 };
const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

describe('on UniFi OS', () => {
  let console: TestConsole;
  before(async () => {
    console = await startConsole({ loginsPerMinute: null });
  });
  const login = (body: unknown, headers = {}) => console.call('POST', '/api/auth/login', { body, headers });

  test('a login returns the user, a JWT cookie, and the CSRF token that the JWT contains', async () => {
    const { username, password } = console;
    const reply = await login({ username, password, rememberMe: true, token: '' });
    assert.equal(reply.status, 200);
    assert.equal(reply.json.username, username);
    assert.equal(reply.json.status, 'ACTIVE');
    const [line = ''] = [reply.headers['set-cookie'] ?? []].flat();
    assert.match(line, /^TOKEN=[\w-]+\.[\w-]+\.[\w-]+; path=\/; samesite=strict; secure; httponly$/);
    const claims = claimsOf(cookiesOf(reply)[0] ?? '');
    for (const name of ['userId', 'passwordRevision', 'isRemembered', 'csrfToken', 'iat', 'exp', 'jti'])
      assert.ok(name in claims, name);
    assert.equal(reply.headers['x-csrf-token'], claims.csrfToken);
    assert.equal(reply.headers['x-updated-csrf-token'], claims.csrfToken);
    assert.equal(claims.exp - claims.iat, (30 * DAY_MS) / 1000);
  });

  test('wrong credentials get 403, a body without the JSON content type gets 401', async () => {
    const { username, password } = console;
    const wrong = await login({ username, password: 'wrong' });
    assert.equal(wrong.status, 403);
    assert.equal(wrong.json.code, 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS');
    assert.equal((await login(JSON.stringify({ username, password }))).status, 401);
  });

  test('writes require the CSRF token, reads do not', async () => {
    const { call, site } = await openSession(console);
    const headers = { 'x-csrf-token': 'another' };
    const refused = await site('POST', 'cmd/hotspot', { body: CREATE, headers });
    assert.equal(refused.status, 403);
    assert.deepEqual(refused.json, { message: 'Invalid CSRF Token' });
    assert.equal((await site('GET', 'stat/voucher', { headers })).status, 200);
    assert.equal((await site('POST', 'cmd/hotspot', { body: CREATE })).status, 200);
    assert.equal((await call('POST', '/api/auth/logout', { headers })).status, 403);
  });

  test('with strictCsrf off, the console does not check the CSRF token', async () => {
    const { site } = await openSession(console);
    console.controls.switches.strictCsrf = false;
    const options = { body: CREATE, headers: { 'x-csrf-token': '' } };
    assert.equal((await site('POST', 'cmd/hotspot', options)).status, 200);
    console.controls.switches.strictCsrf = true;
    assert.equal((await site('POST', 'cmd/hotspot', options)).status, 403);
  });

  test('after logout the old cookie is refused', async () => {
    const { call, site } = await openSession(console);
    assert.equal((await call('GET', '/api/users/self')).json.username, console.username);
    const out = await call('POST', '/api/auth/logout');
    assert.deepEqual([out.status, out.json], [200, { success: true }]);
    assert.equal((await call('GET', '/api/users/self')).status, 401);
    const { status, json } = await site('GET', 'stat/voucher');
    assert.deepEqual([status, json.meta.msg], [401, 'api.err.LoginRequired']);
  });

  test('without a cookie the console itself responds', async () => {
    const { status, json } = await console.call('GET', '/proxy/network/api/self/sites');
    assert.deepEqual([status, json], [401, { error: { code: 401, message: 'Unauthorized' } }]);
  });

  test('a session lasts two hours, a remembered session thirty days', async () => {
    const plain = await openSession(console);
    const remembered = await openSession(console, { rememberMe: true });
    console.clock.advance(2 * HOUR_MS);
    assert.equal((await plain.site('GET', 'self')).status, 401);
    assert.equal((await remembered.site('GET', 'self')).status, 200);
    console.clock.advance(30 * DAY_MS);
    assert.equal((await remembered.site('GET', 'self')).status, 401);
  });
});

describe('the login limit', () => {
  test('the sixth login within a minute is refused, right or wrong, until the minute has passed', async () => {
    const console = await startConsole();
    const { username, password, clock, controls } = console;
    const login = (word: string) =>
      console.call('POST', '/api/auth/login', { body: { username, password: word } });
    for (const word of [password, 'wrong', password, password, password]) await login(word);
    const refused = await login(password);
    assert.equal(refused.status, 429);
    assert.deepEqual(refused.json, {
      code: 'AUTHENTICATION_FAILED_LIMIT_REACHED',
      message: "You've reached the login attempt limit",
      level: 'debug',
    });
    assert.equal(refused.headers['retry-after'], undefined);
    clock.advance(59_000);
    assert.equal((await login(password)).status, 429);
    clock.advance(60_000);
    assert.equal((await login(password)).status, 200);
    assert.equal(controls.counters().logins, 5);
    assert.equal(controls.counters().loginsRefused, 3);
  });

  test('the classic server has no login limit', async () => {
    const console = await startConsole({ flavour: 'unifi-classic' });
    for (let round = 0; round < 12; round++) await openSession(console);
    assert.equal(console.controls.counters().logins, 12);
  });
});

describe('on the classic server', () => {
  let console: TestConsole;
  before(async () => {
    console = await startConsole({ flavour: 'unifi-classic' });
  });

  test('the session cookie comes first, the CSRF cookie only with strict', async () => {
    const { login } = await openSession(console);
    assert.deepEqual(login.json, { meta: { rc: 'ok' }, data: [] });
    assert.deepEqual(
      cookiesOf(login).map((cookie) => cookie.split('=')[0]),
      ['unifises'],
    );
    const strict = await openSession(console, { strict: true });
    assert.deepEqual(
      cookiesOf(strict.login).map((cookie) => cookie.split('=')[0]),
      ['unifises', 'csrf_token'],
    );
  });

  test('wrong credentials get 400 api.err.Invalid', async () => {
    const body = { username: console.username, password: 'wrong' };
    const { status, json } = await console.call('POST', '/api/login', { body });
    assert.deepEqual([status, json], [400, { meta: { rc: 'error', msg: 'api.err.Invalid' }, data: [] }]);
  });

  test('both logout paths end the session', async () => {
    const first = await openSession(console);
    const left = await first.call('GET', '/logout');
    assert.deepEqual([left.status, left.headers.location], [302, '/manage']);
    assert.equal((await first.call('GET', '/api/self')).json.meta.msg, 'api.err.LoginRequired');
    const second = await openSession(console);
    assert.deepEqual((await second.call('POST', '/api/logout')).json, { meta: { rc: 'ok' }, data: [] });
    assert.equal((await second.call('GET', '/api/self')).status, 401);
  });

  test('a session ends after fifteen idle minutes, and an active session does not', async () => {
    const { call } = await openSession(console);
    for (let round = 0; round < 3; round++) {
      console.clock.advance(14 * 60_000);
      assert.equal((await call('GET', '/api/self')).status, 200);
    }
    console.clock.advance(15 * 60_000);
    assert.equal((await call('GET', '/api/self')).status, 401);
  });

  test('a forced time to live ends an active session as well', async () => {
    const short = await startConsole({ flavour: 'unifi-classic', sessionTtlMs: 2000 });
    const { call } = await openSession(short, { remember: true });
    short.clock.advance(1500);
    assert.equal((await call('GET', '/api/self')).status, 200);
    short.clock.advance(600);
    assert.equal((await call('GET', '/api/self')).status, 401);
  });
});

function claimsOf(cookie: string): { csrfToken: string; iat: number; exp: number } {
  return JSON.parse(Buffer.from(cookie.split('.')[1] ?? '', 'base64url').toString());
}
