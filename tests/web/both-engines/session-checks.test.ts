// Tests that a session of the identity provider notices what changes there: the provider is asked again with the
// refresh token, which is used once. Without an answer the session goes on for a while.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Rule } from '../../../src/features/single-sign-on/rules.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { CLIENT, loginThere, setupSingleSignOn, startProvider, type TestProvider } from '../oidc-provider.ts';
import { addUser, loggedIn, makeWebClient, type WebClient } from '../web-client.ts';

const MINUTE_MS = 60_000;
/** A check is due after this time. */
const DUE_MS = 20 * MINUTE_MS;

const rule = (value: string, role: Rule['role']): Rule => ({
  id: value,
  claim: 'groups',
  value,
  role,
  siteIds: [],
});

let service: TestService;
let provider: TestProvider;
before(async () => {
  service = await startTestService();
  provider = await startProvider(service.url);
  await addUser(service, 'admin@example.org', 'admin');
});
after(async () => {
  await provider.stop();
  await service.stop();
});

beforeEach(async () => {
  provider.givesRefreshTokens = true;
  provider.intercept = async () => {};
  await setupSingleSignOn(service, {
    provider: { issuer: provider.issuer, ...CLIENT, scopes: 'openid profile email groups' },
    rules: [rule('desk', 'operator'), rule('it', 'admin')],
  });
});

const account = (name: string, groups: string[]) => ({
  sub: `id of ${name}`,
  email: `${name}@example.org`,
  email_verified: true,
  name,
  groups,
});
async function enter(name: string, groups: string[]): Promise<WebClient> {
  provider.loginAs(account(name, groups));
  const client = makeWebClient(service);
  assert.equal((await loginThere(client, service.url)).location, '/');
  return client;
}
const isLoggedIn = async (client: WebClient) => (await client.get('/account')).status === 200;
const sealedTokens = () =>
  service.rows('select sealed_refresh_token from external_sessions').map((row) => row.sealed_refresh_token);
const sessionsOf = (name: string) =>
  service.rows(
    'select token_hash from web_sessions join users on users.id = user_id where email = ?',
    `${name}@example.org`,
  ).length;
const lastAudit = () =>
  service.rows("select actor, action, subject from audit where action != 'user.changed' order by id").at(-1);
const lastLine = (msg: string) => service.logLines.findLast((line) => line.msg === msg);
const endedLine = () => lastLine('session ended by the identity provider');
async function counted(result: string): Promise<number> {
  const { text } = await service.call('GET', '/metrics');
  const pattern = new RegExp(`gastpass_session_checks_total\\{result="${result}"\\} (\\d+)`);
  return Number(pattern.exec(text)?.[1]);
}

test('the provider is asked again after 20 minutes, each time with the latest refresh token', async () => {
  const rita = await enter('rita', ['desk']);
  const tokens = [sealedTokens().at(-1)];
  service.clock.advance(DUE_MS - 1);
  assert.ok(await isLoggedIn(rita));
  assert.equal(provider.refreshes, 0);
  for (const times of [1, 2, 3]) {
    service.clock.advance(DUE_MS);
    assert.ok(await isLoggedIn(rita));
    assert.ok(await isLoggedIn(rita));
    assert.equal(provider.refreshes, times);
    assert.ok(!tokens.includes(sealedTokens().at(-1)), 'the new token is stored');
    tokens.push(sealedTokens().at(-1));
  }
  assert.equal(await counted('confirmed'), 3);
  assert.ok(!JSON.stringify(service.logLines).includes('refresh_token'));
});

test('a group that is removed at the provider takes the role, and the session goes on', async () => {
  const chef = await enter('chef', ['desk', 'it']);
  assert.equal((await chef.get('/users')).status, 200);
  provider.loginAs(account('chef', ['desk']));
  service.clock.advance(DUE_MS);
  assert.equal((await chef.get('/users')).status, 403);
  assert.ok(await isLoggedIn(chef));
});

test('a user whom no rule matches any more loses all sessions', async () => {
  const otto = await enter('otto', ['desk']);
  provider.loginAs(account('otto', ['other']));
  service.clock.advance(DUE_MS);
  assert.equal((await otto.get('/vouchers')).location, '/login?next=%2Fvouchers');
  assert.equal(sessionsOf('otto'), 0);
  assert.equal(lastAudit()?.action, 'user.no-rule');
  assert.deepEqual([endedLine()?.account, endedLine()?.reason], ['otto@example.org', 'no-rule']);
  assert.equal(await counted('no-rule'), 1);
});

test('a user who is deactivated at the provider loses the session, and it is recorded', async () => {
  const nina = await enter('nina', ['desk']);
  provider.deactivate(account('nina', []));
  service.clock.advance(DUE_MS);
  assert.equal((await nina.get('/vouchers')).location, '/login?next=%2Fvouchers');
  assert.equal(sessionsOf('nina'), 0);
  const { actor, action, subject } = lastAudit() ?? {};
  assert.deepEqual([actor, action], ['Single sign-on', 'user.session-ended']);
  assert.match(String(subject), /nina@example\.org/);
  assert.deepEqual([endedLine()?.account, endedLine()?.reason], ['nina@example.org', 'grant-over']);
  assert.equal(await counted('grant-over'), 1);
});

test('while the provider is away the session goes on, for two hours at most', async () => {
  const rita = await enter('rita', ['desk']);
  let calls = 0;
  const fail: TestProvider['intercept'] = async (_path, response) => {
    calls++;
    response.writeHead(503).end();
  };
  provider.intercept = fail;
  service.clock.advance(DUE_MS);
  assert.ok(await isLoggedIn(rita));
  const callsOfOneCheck = calls;
  assert.ok(await isLoggedIn(rita), 'not asked again at once');
  assert.deepEqual(
    [calls, lastLine('session not checked')?.reason],
    [callsOfOneCheck, 'provider-unreachable'],
  );
  provider.intercept = async () => {};
  service.clock.advance(5 * MINUTE_MS);
  const before = await counted('confirmed');
  assert.ok(await isLoggedIn(rita));
  assert.equal(await counted('confirmed'), before + 1);

  provider.intercept = fail;
  for (let minutes = 30; minutes < 120; minutes += 30) {
    service.clock.advance(30 * MINUTE_MS);
    assert.ok(await isLoggedIn(rita), `after ${minutes} minutes`);
  }
  service.clock.advance(29 * MINUTE_MS);
  assert.ok(await isLoggedIn(rita));
  service.clock.advance(MINUTE_MS);
  assert.ok(!(await isLoggedIn(rita)), 'between two attempts too');
  service.clock.advance(5 * MINUTE_MS);
  assert.ok(!(await isLoggedIn(rita)));
  assert.equal(endedLine()?.reason, 'unconfirmed');
  assert.equal(await counted('unconfirmed'), 1);
});

test('a client that the provider no longer accepts signs nobody out at once', async () => {
  const rita = await enter('rita', ['desk']);
  await setupSingleSignOn(service, {
    provider: { issuer: provider.issuer, ...CLIENT, clientSecret: 'expired', scopes: 'openid' },
  });
  service.clock.advance(DUE_MS);
  assert.ok(await isLoggedIn(rita));
  assert.equal(lastLine('session not checked')?.reason, 'token-refused');
});

test('while the provider is slow, other requests neither wait nor use the token again', async () => {
  const rita = await enter('rita', ['desk']);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
  provider.intercept = async (path) => {
    if (!path.startsWith('/token')) return;
    hold();
    await released;
  };
  const refreshes = provider.refreshes;
  service.clock.advance(DUE_MS);
  const waiting = isLoggedIn(rita);
  await held;
  assert.ok(await isLoggedIn(rita));
  release();
  assert.ok(await waiting);
  assert.equal(provider.refreshes, refreshes + 1);
  assert.ok(await isLoggedIn(rita));
});

test('a replaced refresh token is kept even if the provider fails after that', async () => {
  const rita = await enter('rita', ['desk']);
  provider.intercept = async (path, response) => {
    if (path.startsWith('/me')) response.writeHead(503).end();
  };
  service.clock.advance(DUE_MS);
  assert.ok(await isLoggedIn(rita));
  assert.equal(lastLine('session not checked')?.reason, 'provider-unreachable');
  provider.intercept = async () => {};
  service.clock.advance(DUE_MS);
  const before = await counted('confirmed');
  assert.ok(await isLoggedIn(rita));
  assert.equal(await counted('confirmed'), before + 1);
});

test('a session without a refresh token is not checked', async () => {
  provider.givesRefreshTokens = false;
  const rita = await enter('rita', ['it']);
  provider.loginAs(account('rita', ['desk']));
  const refreshes = provider.refreshes;
  service.clock.advance(DUE_MS);
  assert.equal((await rita.get('/users')).status, 200);
  assert.equal(provider.refreshes, refreshes);
});

test('the last administrator loses the session, not the role', async () => {
  const chef = await enter('chef', ['it']);
  service.change("update users set role = 'operator' where email != 'chef@example.org'");
  provider.loginAs(account('chef', ['desk']));
  service.clock.advance(DUE_MS);
  assert.ok(!(await isLoggedIn(chef)));
  assert.equal(endedLine()?.reason, 'last-admin');
  const admins = service.rows("select email from users where role = 'admin'");
  assert.deepEqual(
    admins.map(({ email }) => email),
    ['chef@example.org'],
  );
  service.change("update users set role = 'admin' where email = 'admin@example.org'");
});

test('signing out, and an administrator who ends the session, delete the refresh token', async () => {
  const rita = await enter('rita', ['desk']);
  await rita.post('/logout', {});
  await enter('rita', ['desk']);
  const admin = await loggedIn(service, 'admin@example.org');
  const [user] = service.rows("select id from users where email = 'rita@example.org'");
  await admin.post(`/users/${user?.id}/sessions/end`, {});
  assert.equal(sessionsOf('rita'), 0);
  const orphans =
    'select token_hash from external_sessions where token_hash not in (select token_hash from web_sessions)';
  assert.deepEqual(service.rows(orphans), []);
});
