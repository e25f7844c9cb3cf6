// Injected faults of logins and sessions.

import assert from 'node:assert/strict';
import { before, beforeEach, describe, test } from 'node:test';
import { cookiesOf, openSession, type TestConsole, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

const CREATE = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60 };

let console: TestConsole;
let server: TestConsole;
before(async () => {
  console = await startConsole({ loginsPerMinute: null });
  server = await startConsole({ flavour: 'unifi-classic' });
});
beforeEach(() => {
  for (const testConsole of [console, server]) testConsole.controls.resetFaults();
});

function login(console: TestConsole) {
  const { flavour, username, password } = console;
  const path = flavour === 'unifi-os' ? '/api/auth/login' : '/api/login';
  return console.call('POST', path, { body: { username, password } });
}

describe('session-expired', () => {
  test('ends every session at once, until the next login', async () => {
    for (const testConsole of [console, server]) {
      const first = await openSession(testConsole);
      testConsole.controls.setFault({ match: 'create', kind: 'session-expired' });
      const { vouchersCreated } = testConsole.controls.counters();
      const refused = await first.site('POST', 'cmd/hotspot', { body: CREATE });
      assert.deepEqual([refused.status, refused.json.meta.msg], [401, 'api.err.LoginRequired']);
      assert.equal((await first.site('GET', 'stat/voucher')).status, 401);
      assert.equal(testConsole.controls.counters().vouchersCreated, vouchersCreated);
      const second = await openSession(testConsole);
      assert.equal((await second.site('POST', 'cmd/hotspot', { body: CREATE })).status, 200);
    }
  });

  test('the console itself reports it in its own format', async () => {
    const { call } = await openSession(console);
    console.controls.setFault({ match: 'self', kind: 'session-expired' });
    const { status, json } = await call('GET', '/api/users/self');
    assert.deepEqual([status, json.error.code], [401, 401]);
  });

  test('the controls can end all sessions without a request', async () => {
    const { site } = await openSession(console);
    console.controls.expireSessions();
    assert.equal((await site('GET', 'self')).status, 401);
  });
});

test('login-limit refuses a login as after too many logins, with Retry-After only if set', async () => {
  console.controls.setFault({ match: 'login', kind: 'login-limit' });
  const plain = await login(console);
  assert.deepEqual([plain.status, plain.json.code], [429, 'AUTHENTICATION_FAILED_LIMIT_REACHED']);
  assert.equal(plain.headers['retry-after'], undefined);
  console.controls.setFault({ match: 'login', kind: 'login-limit', retryAfterS: 60 });
  assert.equal((await login(console)).headers['retry-after'], '60');
  assert.equal((await login(console)).status, 200);
});

test('mfa asks for a second factor in the format of each flavour', async () => {
  console.controls.setFault({ match: 'login', kind: 'mfa' });
  const cloud = await login(console);
  assert.deepEqual([cloud.status, cloud.json.code], [499, 'MFA_AUTH_REQUIRED']);
  assert.match(cloud.json.data.mfaCookie, /^UBIC_2FA=/);
  server.controls.setFault({ match: 'login', kind: 'mfa' });
  const local = await login(server);
  assert.deepEqual([local.status, local.json.meta.msg], [400, 'api.err.Ubic2faTokenRequired']);
});

test('csrf-refused refuses a valid write', async () => {
  const { site } = await openSession(console);
  console.controls.setFault({ match: 'create', kind: 'csrf-refused' });
  const { status, json } = await site('POST', 'cmd/hotspot', { body: CREATE });
  assert.deepEqual([status, json], [403, { message: 'Invalid CSRF Token' }]);
  assert.equal((await site('POST', 'cmd/hotspot', { body: CREATE })).status, 200);
});

test('csrf-renewed sends a new token with a correct response, and the old token is no longer valid', async () => {
  const { site, csrfToken } = await openSession(console);
  console.controls.setFault({ match: 'list', kind: 'csrf-renewed' });
  const renewed = await site('GET', 'stat/voucher');
  const token = String(renewed.headers['x-updated-csrf-token']);
  assert.equal(renewed.status, 200);
  assert.notEqual(token, csrfToken);
  assert.equal((await site('POST', 'cmd/hotspot', { body: CREATE })).status, 403);
  const oldCookie = await site('POST', 'cmd/hotspot', { body: CREATE, headers: { 'x-csrf-token': token } });
  assert.equal(oldCookie.status, 200);
  const headers = { 'x-csrf-token': token, cookie: cookiesOf(renewed).join('; ') };
  assert.equal((await site('POST', 'cmd/hotspot', { body: CREATE, headers })).status, 200);
});

test('faults of connections affect logins too, before and after the login takes effect', async () => {
  const { logins } = console.controls.counters();
  console.controls.setFault({ match: 'login', kind: 'cut-before-write' });
  await assert.rejects(login(console));
  assert.equal(console.controls.counters().logins, logins);
  console.controls.setFault({ match: 'login', kind: 'cut-after-write' });
  await assert.rejects(login(console));
  assert.equal(console.controls.counters().logins, logins + 1);
});
