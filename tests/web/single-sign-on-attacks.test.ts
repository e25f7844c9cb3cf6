// Tests attacks on logins through a provider: falsified tokens, responses that belong to another login or another
// provider, and providers that are away or send too much. No attack begins a session or keeps one.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import {
  type Falsified,
  foreignKey,
  type HostileProvider,
  startHostileProvider,
} from './hostile-provider.ts';
import {
  CLIENT,
  loginThere,
  passThrough,
  setupSingleSignOn,
  startProvider,
  type TestProvider,
} from './oidc-provider.ts';
import { addUser, loggedIn, makeWebClient, type Page, type WebClient } from './web-client.ts';

let service: TestService;
let hostile: HostileProvider;
let honest: TestProvider;
before(async () => {
  service = await startTestService();
  hostile = await startHostileProvider(CLIENT.clientId);
  honest = await startProvider(service.url);
  await addUser(service, 'admin@example.org', 'admin');
});
after(async () => {
  await hostile.stop();
  await honest.stop();
  await service.stop();
});

const use = (issuer: string) =>
  setupSingleSignOn(service, {
    // A new scope each time: the description of a falsified provider must not be remembered.
    provider: { issuer, ...CLIENT, scopes: `openid email x${Math.random()}` },
  });
beforeEach(async () => {
  hostile.falsify({});
  await setupSingleSignOn(service, {
    rules: [{ id: '1', claim: 'groups', value: 'desk', role: 'operator', siteIds: [] }],
    trustsEmail: false,
  });
  await use(hostile.issuer);
});

const sessions = () => service.rows('select token_hash from web_sessions').length;
const lastFailure = () => service.logLines.findLast(({ msg }) => msg === 'login failed');
const nowS = () => Math.floor(Date.now() / 1000);

/** Runs an attack and expects that it begins no session, and that the log says why. */
async function refuses(reason: string, attack: () => Promise<Page>): Promise<Page> {
  const before = sessions();
  const page = await attack();
  assert.ok(page.status >= 400, `${page.status}: ${page.location}`);
  assert.equal(sessions(), before);
  assert.equal(lastFailure()?.reason, reason, String(lastFailure()?.detail));
  return page;
}

test('a correct token of the same provider begins a session', async () => {
  assert.equal((await loginThere(makeWebClient(service), service.url)).location, '/');
  const sent = hostile.tokenRequests.at(-1);
  assert.ok(sent?.get('code_verifier'));
  assert.equal(sent?.get('redirect_uri'), `${service.url}/login/oidc/callback`);
});

test('the request to the provider carries a PKCE challenge, a state and a nonce', async () => {
  const { location } = await makeWebClient(service).get('/login/oidc');
  const { searchParams } = new URL(location ?? '');
  assert.deepEqual(
    [searchParams.get('response_type'), searchParams.get('code_challenge_method')],
    ['code', 'S256'],
  );
  for (const name of ['code_challenge', 'state', 'nonce'])
    assert.ok((searchParams.get(name) ?? '').length >= 43, name);
});

const FALSIFIED: Record<string, Falsified> = {
  'another audience': { claims: { aud: 'another client' } },
  'another issuer': { claims: { iss: 'https://login.example.com' } },
  'another nonce': { claims: { nonce: 'of another login' } },
  'no nonce': { claims: { nonce: undefined } },
  'the algorithm none': { header: { alg: 'none' } },
  'the signature of a foreign key': { key: foreignKey() },
  'an expiry in the past': { claims: { iat: nowS() - 7200, exp: nowS() - 3600 } },
  'a beginning in the future': { claims: { nbf: nowS() + 3600 } },
  'a time of issue in the future': { claims: { iat: nowS() + 900, exp: nowS() + 1800 } },
  'a login in the future': { claims: { auth_time: nowS() + 900 } },
  'a login in the far future': { claims: { auth_time: 9e15 } },
};
for (const [what, falsified] of Object.entries(FALSIFIED))
  test(`a token with ${what} is refused`, async () => {
    hostile.falsify(falsified);
    await refuses('token-refused', () => loginThere(makeWebClient(service), service.url));
  });

test('the clock of a provider may be a minute ahead, and the log says how far it is ahead if that is too much', async () => {
  hostile.falsify({ claims: { iat: nowS() + 60, auth_time: nowS() + 60 } });
  assert.equal((await loginThere(makeWebClient(service), service.url)).location, '/');
  for (const name of ['iat', 'auth_time']) {
    hostile.falsify({ claims: { [name]: nowS() + 7200 } });
    await refuses('token-refused', () => loginThere(makeWebClient(service), service.url));
    assert.match(
      String(lastFailure()?.detail),
      new RegExp(`^${name} of the ID token is 7\\d\\d\\d s ahead: correct`),
    );
  }
});

test('the algorithm none is refused even if the provider offers it', async () => {
  hostile.falsify({
    header: { alg: 'none' },
    description: { id_token_signing_alg_values_supported: ['none'] },
  });
  await refuses('token-refused', () => loginThere(makeWebClient(service), service.url));
});

test('a response with another state is refused', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const back = await passThrough(begun.location ?? '', service.url);
  const cookies = new Map(webClient.cookies);
  await refuses('token-refused', () => webClient.get(back.replace(/state=[^&]+/, 'state=of-the-attacker')));
  for (const [name, value] of cookies) webClient.cookies.set(name, value);
  await refuses('token-refused', () => webClient.get(back.replace(/&state=[^&]+/, '')));
});

test('a response that belongs to the login of another browser is refused', async () => {
  const begun = await makeWebClient(service).get('/login/oidc');
  const back = await passThrough(begun.location ?? '', service.url);
  await refuses('attempt-over', () => makeWebClient(service).get(back));
  const victim = makeWebClient(service);
  await victim.get('/login/oidc');
  await refuses('token-refused', () => victim.get(back));
});

test('a response is accepted once, even if the provider accepts its code again', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const cookies = new Map(webClient.cookies);
  const back = await passThrough(begun.location ?? '', service.url);
  assert.equal((await webClient.get(back)).location, '/');
  const again = makeWebClient(service);
  for (const [name, value] of cookies) again.cookies.set(name, value);
  await refuses('attempt-over', () => again.get(back));
});

for (const [what, change] of Object.entries({
  'rule is removed': "rules = '[]'",
  'provider is removed': 'issuer = null',
}))
  test(`no session is left if the ${what} at the moment when the session begins`, async () => {
    // After the rules were read, and too early to end the session, which is not stored yet.
    service.change(
      `create trigger change before insert on web_sessions begin update single_sign_on set ${change}; end`,
    );
    try {
      await refuses('attempt-over', () => loginThere(makeWebClient(service), service.url));
    } finally {
      service.change('drop trigger change');
    }
  });

test('a code that was used already is refused by a real provider', async () => {
  await use(honest.issuer);
  honest.loginAs({ sub: 'one', email: 'one@example.org', email_verified: true, groups: ['desk'] });
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const cookies = new Map(webClient.cookies);
  const back = await passThrough(begun.location ?? '', service.url);
  await webClient.get(back);
  for (const [name, value] of cookies) webClient.cookies.set(name, value);
  await refuses('token-refused', () => webClient.get(back));
});

test('a login is over after ten minutes', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const back = await passThrough(begun.location ?? '', service.url);
  service.clock.advance(10 * 60_000);
  await refuses('attempt-over', () => webClient.get(back));
});

test('the response of one provider is not sent to another', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const back = await passThrough(begun.location ?? '', service.url);
  const before = hostile.tokenRequests.length;
  await use(honest.issuer);
  await refuses('attempt-over', () => webClient.get(back));
  // The provider names itself in its response. A response with another name is refused before the code is sent.
  await use(hostile.issuer);
  const second = await webClient.get('/login/oidc');
  const secondBack = await passThrough(second.location ?? '', service.url);
  const other = `${secondBack}&iss=${encodeURIComponent(honest.issuer)}`;
  await refuses('token-refused', () => webClient.get(other));
  await use(honest.issuer);
  const there = await webClient.get('/login/oidc');
  const honestBack = await passThrough(there.location ?? '', service.url);
  const renamed = honestBack.replace(/iss=[^&]+/, `iss=${encodeURIComponent(hostile.issuer)}`);
  assert.notEqual(renamed, honestBack);
  await refuses('token-refused', () => webClient.get(renamed));
  assert.equal(hostile.tokenRequests.length, before);
});

test('a provider that describes itself as another issuer is refused', async () => {
  hostile.falsify({ description: { issuer: 'https://login.example.com' } });
  const before = sessions();
  const page = await makeWebClient(service).get('/login/oidc');
  assert.deepEqual([page.status, sessions()], [502, before]);
});

for (const claims of [
  { email_verified: false },
  { email_verified: undefined },
  { email_verified: 'false' },
  { email_verified: 1 },
])
  test(`an address with ${JSON.stringify(claims)} does not open the account of another user`, async () => {
    hostile.falsify({ claims: { ...claims, sub: 'somebody else', email: 'admin@example.org' } });
    await refuses('email-unverified', () => loginThere(makeWebClient(service), service.url));
    await setupSingleSignOn(service, {
      rules: [{ id: '1', claim: 'email', value: 'admin@example.org', role: 'admin', siteIds: [] }],
    });
    await refuses('no-rule', () => loginThere(makeWebClient(service), service.url));
  });

test('a verified address of the ID token does not verify the address of the user info', async () => {
  const email = 'admin@example.org';
  hostile.falsify({
    claims: { sub: 'split', email: undefined, email_verified: true },
    userInfo: { sub: 'split', email, email_verified: false },
  });
  await refuses('email-unverified', () => loginThere(makeWebClient(service), service.url));
  hostile.falsify({
    claims: { sub: 'split', email, email_verified: undefined },
    userInfo: { sub: 'split', email: 'mallory@example.org', email_verified: true },
  });
  await refuses('email-unverified', () => loginThere(makeWebClient(service), service.url));
});

test('the user info of another subject is refused, and the ID token goes first', async () => {
  await use(hostile.issuer);
  hostile.falsify({ userInfo: { sub: 'another', groups: ['desk'] } });
  await refuses('token-refused', () => loginThere(makeWebClient(service), service.url));
  hostile.falsify({ claims: { sub: 'nora', groups: ['none'] }, userInfo: { sub: 'nora', groups: ['desk'] } });
  await refuses('no-rule', () => loginThere(makeWebClient(service), service.url));
});

test('an address that is not an e-mail address opens no account', async () => {
  hostile.falsify({ claims: { sub: 'odd', email: 'a b@example.org, admin@example.org' } });
  await refuses('email-unusable', () => loginThere(makeWebClient(service), service.url));
});

for (const next of [
  '//evil.example',
  'https://evil.example/',
  '/\\evil.example',
  '/%0d%0a//evil',
  'javascript:1',
])
  test(`after the login, no user is sent to ${next}`, async () => {
    const path = `/login/oidc?next=${encodeURIComponent(next)}`;
    const { location } = await loginThere(makeWebClient(service), service.url, path);
    assert.equal(new URL(location ?? '', service.url).origin, service.url);
    assert.doesNotMatch(location ?? '', /^\/[/\\]/);
  });

test('a refusal by the provider is shown, and its text is not', async () => {
  const webClient = makeWebClient(service);
  const begun = await webClient.get('/login/oidc');
  const state = new URL(begun.location ?? '').searchParams.get('state');
  const page = await refuses('provider-denied', () =>
    webClient.get(
      `/login/oidc/callback?error=access_denied&error_description=<b>call%20555</b>&state=${state}`,
    ),
  );
  assert.equal(page.status, 403);
  assert.doesNotMatch(page.text, /555/);
});

test('the name and the address from the provider are shown as text', async () => {
  hostile.falsify({ claims: { sub: 'x', email: '<script>alert(1)</script>', email_verified: false } });
  const page = await loginThere(makeWebClient(service), service.url);
  assert.match(page.text, /&lt;script&gt;/);
  const admin = await loggedIn(service, 'admin@example.org');
  const { text } = await admin.get('/settings/single-sign-on');
  assert.doesNotMatch(text, /<script>alert/);
});

test('a response that is too large is refused', async () => {
  hostile.falsify({ padding: 1_000_000 });
  await refuses('provider-unreachable', () => loginThere(makeWebClient(service), service.url));
});

test('a provider that does not respond delays no password login', async () => {
  hostile.falsify({ isSilent: true });
  const waiting = makeWebClient(service).get('/login/oidc');
  assert.equal((await makeWebClient(service).get('/login')).status, 200);
  await loggedIn(service, 'admin@example.org');
  const page = await waiting;
  assert.equal(page.status, 502);
  assert.equal(lastFailure()?.reason, 'provider-unreachable');
});

test('a login that only tests the settings begins no session for somebody else', async () => {
  const admin = await loggedIn(service, 'admin@example.org');
  const begun = await admin.get('/settings/single-sign-on/test');
  const back = await passThrough(begun.location ?? '', service.url);
  const thief = makeWebClient(service);
  thief.cookies.set('gastpass-oidc', admin.cookies.get('gastpass-oidc') ?? '');
  const before = sessions();
  const page = await thief.get(back);
  assert.deepEqual([page.location, sessions()], ['/login', before]);
  assert.doesNotMatch(page.text, /mallory/);
});

const REFRESHED = { refreshToken: 'a refresh token' };
/** After this time, the provider is asked about the user of a session again. */
const DUE_MS = 20 * 60_000;
const isLoggedIn = async (webClient: WebClient) => (await webClient.get('/account')).status === 200;
const checked = (reason: string) => service.logLines.filter((line) => line.reason === reason).length;

/** Whether a session goes on after a check that the provider falsifies. */
async function survives(falsified: Falsified): Promise<boolean> {
  hostile.falsify(REFRESHED);
  await use(hostile.issuer);
  const mallory = makeWebClient(service);
  assert.equal((await loginThere(mallory, service.url)).location, '/');
  hostile.falsify({ ...REFRESHED, ...falsified });
  await use(hostile.issuer);
  service.clock.advance(DUE_MS);
  return isLoggedIn(mallory);
}

test('a check of a session accepts the ID token or the user info of the same user', async () => {
  assert.ok(await survives({}));
  assert.ok(await survives({ hasNoIdToken: true, userInfo: { sub: 'mallory', groups: ['desk'] } }));
});

test('a check that answers for another user, or with claims that no login may have, ends the session', async () => {
  const userInfo = { sub: 'anna', groups: ['desk'] };
  for (const [falsified, reason] of [
    [{ claims: { sub: 'anna' } }, 'other-subject'],
    [{ userInfo }, 'other-subject'],
    [{ userInfo, hasNoIdToken: true }, 'other-subject'],
    [{ claims: { groups: ['x'.repeat(256)] } }, 'claims-refused'],
  ] as const) {
    const before = checked(reason);
    assert.ok(!(await survives({ ...falsified })), JSON.stringify(falsified));
    assert.equal(checked(reason), before + 1);
  }
});

test('a check with a token that fails the checks of a login confirms nothing', async () => {
  for (const falsified of [
    { key: foreignKey() },
    { header: { alg: 'none' } },
    { claims: { iss: 'https://other.example.org' } },
    { claims: { aud: 'other' } },
    { claims: { exp: 1 } },
    { claims: { iat: nowS() + 600 } },
    { hasNoIdToken: true },
  ]) {
    const before = checked('token-refused');
    assert.ok(await survives(falsified));
    assert.equal(checked('token-refused'), before + 1, JSON.stringify(falsified));
  }
});

test('the refresh token of one provider is not sent to another', async () => {
  hostile.falsify(REFRESHED);
  const mallory = makeWebClient(service);
  await loginThere(mallory, service.url);
  let calls = 0;
  honest.intercept = async () => void calls++;
  // Changed in the browser, the provider would take its sessions with it; changed in the environment, it does not.
  service.change('update single_sign_on set issuer = ?', honest.issuer);
  service.clock.advance(DUE_MS);
  assert.ok(await isLoggedIn(mallory));
  assert.deepEqual([calls, checked('provider-changed')], [0, 1]);
});
