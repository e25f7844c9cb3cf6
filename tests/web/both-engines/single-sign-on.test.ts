// Tests logins through a real OpenID Connect provider: rules decide about role and sites at every login, accounts are
// linked by a verified address or an administrator, and the logout ends the session at the provider too.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { Rule } from '../../../src/features/single-sign-on/rules.ts';
import type { SingleSignOnChange } from '../../../src/features/single-sign-on/single-sign-on.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import {
  CLIENT,
  loginThere,
  passThrough,
  setupSingleSignOn,
  startProvider,
  type TestProvider,
} from '../oidc-provider.ts';
import { addUser, loggedIn, makeWebClient } from '../web-client.ts';

const rule = (value: string, grant: Partial<Rule>): Rule => ({
  id: value,
  claim: 'groups',
  value,
  role: 'operator',
  siteIds: [],
  ...grant,
});

let service: TestService;
let provider: TestProvider;
let secondSite: number;
before(async () => {
  service = await startTestService();
  provider = await startProvider(service.url);
  secondSite = await service.addSite('default', 'Haus B');
  await addUser(service, 'admin@example.org', 'admin');
});
after(async () => {
  await provider.stop();
  await service.stop();
});
beforeEach(() =>
  setupSingleSignOn(service, {
    provider: { issuer: provider.issuer, ...CLIENT, scopes: 'openid profile email groups' },
    rules: [
      rule('desk', { siteIds: [asSiteId(1)] }),
      rule('spa', { siteIds: [asSiteId(secondSite), asSiteId(999)] }),
      rule('it', { role: 'admin' }),
    ],
    label: 'Testdienst',
    hidesPasswordForm: false,
    trustsEmail: false,
  }),
);

const userRow = (email: string) => service.rows('select * from users where email = ?', email)[0];
const siteIdsOf = (email: string) =>
  service
    .rows(
      'select site_id from user_sites join users on users.id = user_id where email = ? order by site_id',
      email,
    )
    .map(({ site_id }) => Number(site_id));
const sessionsOf = (email: string) =>
  service.rows('select token_hash from web_sessions join users on users.id = user_id where email = ?', email);
const audit = (action: string) =>
  service.rows('select actor, subject from audit where action = ? order by id', action).at(-1);
const account = (name: string, groups: string[]) => ({
  sub: `id of ${name}`,
  email: `${name}@example.org`,
  email_verified: true,
  name: `${name} vom Anbieter`,
  groups,
});

test('a first login adds a user with the role and the sites of the matching rules, and the first page works', async () => {
  provider.loginAs(account('rita', ['desk', 'spa', 'other']));
  const rita = makeWebClient(service);
  assert.match(
    (await rita.get('/login')).text,
    /href="\/login\/oidc\?next=%2F"[^>]*>Mit Testdienst anmelden/,
  );
  const back = await loginThere(rita, service.url, '/login/oidc?next=/vouchers');
  assert.equal(back.location, '/vouchers', back.text);
  assert.equal((await rita.get('/vouchers')).status, 200);
  assert.equal((await rita.get('/users')).status, 403);
  assert.deepEqual(
    [userRow('rita@example.org')?.role, userRow('rita@example.org')?.name],
    ['operator', 'rita vom Anbieter'],
  );
  assert.deepEqual(siteIdsOf('rita@example.org'), [1, secondSite]);
  assert.match(String(audit('user.added')?.subject), /^user \d+ \(rita@example\.org\): .*id of rita/);
  assert.equal(audit('user.added')?.actor, 'Single sign-on');
  assert.match((await service.call('GET', '/metrics')).text, /gastpass_logins_total\{result="success"\} 1\n/);
});

test('a user who was added by the provider has no password', async () => {
  assert.equal((await makeWebClient(service).login('rita@example.org')).status, 401);
});

test('the account page offers a change of the password only to users who have one', async () => {
  const rita = makeWebClient(service);
  await loginThere(rita, service.url);
  assert.doesNotMatch((await rita.get('/account')).text, /current-password/);
  const admin = await loggedIn(service, 'admin@example.org');
  assert.match((await admin.get('/account')).text, /current-password/);
});

test('every login applies the rules again', async () => {
  provider.loginAs(account('rita', ['spa']));
  await loginThere(makeWebClient(service), service.url);
  assert.deepEqual(siteIdsOf('rita@example.org'), [secondSite]);
  provider.loginAs(account('rita', ['desk', 'it']));
  const rita = makeWebClient(service);
  await loginThere(rita, service.url);
  assert.equal((await rita.get('/users')).status, 200);
  assert.deepEqual([userRow('rita@example.org')?.role, siteIdsOf('rita@example.org')], ['admin', []]);
  provider.loginAs(account('rita', ['desk']));
  await loginThere(makeWebClient(service), service.url);
  assert.deepEqual([userRow('rita@example.org')?.role, siteIdsOf('rita@example.org')], ['operator', [1]]);
  assert.equal((await rita.get('/users')).status, 403);
});

test('a user keeps the account when the e-mail address changes at the provider', async () => {
  const users = service.rows('select id from users').length;
  provider.loginAs({ ...account('rita', ['desk']), email: 'rita.neu@example.org' });
  await loginThere(makeWebClient(service), service.url);
  assert.equal(service.rows('select id from users').length, users);
});

test('a user whom no rule matches any more is refused, loses all sessions, and it is recorded', async () => {
  provider.loginAs(account('rita', ['desk']));
  const before = makeWebClient(service);
  await loginThere(before, service.url);
  provider.loginAs(account('rita', []));
  const refused = await loginThere(makeWebClient(service), service.url);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /keine Regel.*Verwaltung.*rita@example\.org/s);
  assert.equal((await before.get('/vouchers')).location, '/login?next=%2Fvouchers');
  assert.deepEqual(sessionsOf('rita@example.org'), []);
  assert.match(String(audit('user.no-rule')?.subject), /rita@example\.org/);
  const line = service.logLines.findLast(({ msg }) => msg === 'login failed');
  assert.deepEqual([line?.reason, line?.account], ['no-rule', 'rita@example.org']);
  assert.match((await service.call('GET', '/metrics')).text, /gastpass_logins_total\{result="no-rule"\} 1/);
});

test('removing a rule acts at the next request, and only on users whom it matched', async () => {
  provider.loginAs(account('otto', ['spa']));
  const otto = makeWebClient(service);
  await loginThere(otto, service.url);
  provider.loginAs(account('rosa', ['desk', 'it']));
  const rosa = makeWebClient(service);
  await loginThere(rosa, service.url);
  assert.equal((await rosa.get('/users')).status, 200);
  const admin = await loggedIn(service, 'admin@example.org');
  const remove = (id: string) => admin.post('/settings/single-sign-on/rules/remove', { rule: id });
  await remove('none');
  assert.equal((await rosa.get('/users')).status, 200);
  assert.equal((await remove('it')).status, 303);
  assert.equal((await rosa.get('/users')).status, 403, 'the other rule still applies');
  assert.deepEqual(siteIdsOf('rosa@example.org'), [1]);
  await remove('desk');
  assert.match((await rosa.get('/vouchers')).location ?? '', /^\/login/);
  assert.deepEqual(siteIdsOf('rosa@example.org'), []);
  assert.equal((await otto.get('/vouchers')).status, 200);
  assert.equal((await admin.get('/users')).status, 200, 'sessions with a password go on');
});

test('removing or replacing the provider ends its sessions at once, and so does no longer trusting its addresses', async () => {
  provider.loginAs(account('rosa', ['desk']));
  const { provider: current } = await service.beside.singleSignOn.read();
  assert.ok(current);
  const changes: SingleSignOnChange[] = [
    { trustsEmail: false },
    { provider: { ...current, clientId: 'other' } },
    { provider: { ...current, issuer: 'https://other.example.org' } },
    { provider: null },
  ];
  const admin = await loggedIn(service, 'admin@example.org');
  for (const change of changes) {
    await setupSingleSignOn(service, { provider: current, trustsEmail: true });
    const rosa = makeWebClient(service);
    await loginThere(rosa, service.url);
    await setupSingleSignOn(service, { provider: { ...current, scopes: 'openid' }, trustsEmail: true });
    assert.equal((await rosa.get('/')).status, 200, 'other settings end no session');
    await setupSingleSignOn(service, change);
    assert.equal((await rosa.get('/')).location, '/login', JSON.stringify(change));
  }
  assert.equal((await admin.get('/users')).status, 200, 'sessions with a password go on');
});

test('nobody gets in while there are no rules', async () => {
  await setupSingleSignOn(service, { rules: [] });
  provider.loginAs(account('rita', ['it']));
  assert.equal((await loginThere(makeWebClient(service), service.url)).status, 403);
});

test('a verified address links an existing user, whose password stays valid', async () => {
  await addUser(service, 'karl@example.org', 'operator');
  provider.loginAs({ ...account('karl', ['it']), email: 'Karl@Example.org' });
  assert.equal((await loginThere(makeWebClient(service), service.url)).location, '/');
  assert.equal(userRow('karl@example.org')?.role, 'admin');
  assert.match(String(audit('user.linked')?.subject), /^user \d+ \(karl@example\.org\)/);
  await loggedIn(service, 'karl@example.org');
});

test('where every address counts, a rule on the address matches the user name by which the account is linked', async () => {
  await addUser(service, 'emma@example.org', 'operator');
  const byAddress = { ...rule('emma@example.org', { role: 'admin' }), claim: 'email' };
  await setupSingleSignOn(service, { rules: [byAddress] });
  const emma = { sub: 'id of emma', preferred_username: 'emma@example.org' };
  provider.loginAs(emma);
  assert.equal(
    (await loginThere(makeWebClient(service), service.url)).status,
    403,
    'not every address counts',
  );
  await setupSingleSignOn(service, { trustsEmail: true });
  assert.equal((await loginThere(makeWebClient(service), service.url)).location, '/');
  assert.equal(userRow('emma@example.org')?.role, 'admin');
  // An address that the provider names goes before the user name, for the rule as for the account.
  provider.loginAs({ ...emma, email: 'other@example.org' });
  assert.equal((await loginThere(makeWebClient(service), service.url)).status, 403);
});

test('a user with a password loses the role of a rule together with the rule', async () => {
  const karl = await loggedIn(service, 'karl@example.org');
  assert.equal((await karl.get('/users')).status, 200);
  await service.beside.singleSignOn.removeRule('it', { actor: TESTER, atMs: 1 });
  assert.equal((await karl.get('/users')).status, 403);
  const again = await loggedIn(service, 'karl@example.org');
  assert.equal((await again.get('/users')).status, 403);
});

test('a disabled user is refused', async () => {
  service.change("update users set active = 0 where email = 'karl@example.org'");
  provider.loginAs(account('karl', ['it']));
  const refused = await loginThere(makeWebClient(service), service.url);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /deaktiviert/);
  service.change("update users set active = 1 where email = 'karl@example.org'");
});

test('an account without a verified address waits until an administrator links it', async () => {
  await addUser(service, 'lena@example.org', 'operator');
  provider.loginAs({ ...account('lena', ['desk']), email_verified: false });
  const refused = await loginThere(makeWebClient(service), service.url);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /nicht bestätigt/);
  const admin = await loggedIn(service, 'admin@example.org');
  const page = await admin.get('/settings/single-sign-on');
  const [, identity = ''] = /name="identity" value="(\d+)"/.exec(page.text) ?? [];
  const user = String(userRow('lena@example.org')?.id);
  assert.equal((await admin.post('/settings/single-sign-on/link', { identity, user })).status, 303);
  assert.equal((await admin.post('/settings/single-sign-on/link', { identity, user })).status, 404);
  const lena = makeWebClient(service);
  assert.equal((await loginThere(lena, service.url)).location, '/');
  assert.match((await lena.get('/')).text, />lena</);
});

test('an administrator removes the link of a user, who is signed out and then waits again', async () => {
  provider.loginAs({ ...account('lena', ['desk']), email_verified: false });
  const lena = makeWebClient(service);
  await loginThere(lena, service.url);
  const admin = await loggedIn(service, 'admin@example.org');
  const path = `/users/${userRow('lena@example.org')?.id}`;
  assert.match((await admin.get(path)).text, /id of lena/);
  assert.match((await admin.get(`${path}/unlink`)).text, /lena/);
  await admin.post(`${path}/unlink`, {});
  assert.doesNotMatch((await admin.get(path)).text, /id of lena/);
  assert.match(String((await lena.get('/vouchers')).location), /^\/login/);
  assert.equal((await loginThere(makeWebClient(service), service.url)).status, 403);
  assert.match(String(audit('user.unlinked')?.subject), /^user \d+ \(lena@example\.org\)$/);
  const own = `/users/${userRow('admin@example.org')?.id}/unlink`;
  assert.equal((await admin.post(own, {})).status, 409, 'administrators cannot lock themselves out');
});

test('the rules cannot take the role from the last administrator', async () => {
  service.change("update users set role = 'operator' where email != 'admin@example.org'");
  provider.loginAs(account('admin', ['desk']));
  const refused = await loginThere(makeWebClient(service), service.url);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /letzten Konto der Verwaltung/);
  assert.equal(userRow('admin@example.org')?.role, 'admin');
});

test('no second factor is asked for: the provider is responsible for it', async () => {
  await service.beside.settings.change(
    { secondFactorFor: 'everyone' },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
  provider.loginAs(account('rita', ['desk']));
  const rita = makeWebClient(service);
  await loginThere(rita, service.url);
  assert.equal((await rita.get('/vouchers')).status, 200);
  const local = await loggedIn(service, 'karl@example.org');
  assert.match(String((await local.get('/vouchers')).location), /^\/account\/second-factor\/new/);
  await service.beside.settings.change(
    { secondFactorFor: 'nobody' },
    { actor: TESTER, atMs: service.clock.nowMs() },
  );
});

test('before a sensitive change, the user signs in at the provider again and comes back', async () => {
  provider.loginAs(account('chef', ['it']));
  const chef = makeWebClient(service);
  await loginThere(chef, service.url);
  const key = { name: 'Kasse', scope: 'read', limit: '0', sites: 'all' };
  const refused = await chef.post('/keys', key, { referer: `${service.url}/keys` });
  assert.equal(refused.status, 401);
  assert.doesNotMatch(refused.text, /type="password"/);
  const href = /href="(\/login\/oidc[^"]*again=1)"/.exec(refused.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
  // Somebody at an unattended browser could remove the parameters that make the provider ask for the password.
  const asked = new URL((await chef.get(href)).location ?? '');
  assert.deepEqual([asked.searchParams.get('prompt'), asked.searchParams.get('max_age')], ['login', '0']);
  asked.searchParams.delete('prompt');
  asked.searchParams.delete('max_age');
  assert.equal((await chef.get(await passThrough(asked.href, service.url))).location, '/keys');
  assert.equal((await chef.post('/keys', key)).status, 401);
  assert.deepEqual(service.rows("select id from api_keys where name = 'Kasse'"), []);
  assert.equal((await loginThere(chef, service.url, href)).location, '/keys');
  assert.equal((await chef.post('/keys', key)).status, 200);
});

test('a form of an ended session is kept on the way through the provider', async () => {
  provider.loginAs(account('chef', ['it']));
  const chef = makeWebClient(service);
  await loginThere(chef, service.url);
  const token = /name="token" value="([^"]+)"/.exec((await chef.get('/account')).text)?.[1] ?? '';
  service.change('delete from web_sessions');
  const ended = await chef.post('/vouchers', { site: '1', name: 'Kegelabend', count: '1', token });
  assert.equal(ended.status, 401);
  const back = await loginThere(chef, service.url);
  assert.match(back.text, /name="name" value="Kegelabend"/);
  assert.match(back.text, /Jetzt absenden/);
});

test('an invited user who comes through the provider needs no password, and the link no longer works', async () => {
  const admin = await loggedIn(service, 'admin@example.org');
  const fields = { name: 'Ida', email: 'ida@example.org', role: 'operator', 'site-1': '1' };
  const link = /\/invitation\/[\w-]+/.exec((await admin.post('/users/add', fields)).text)?.[0] ?? '';
  provider.loginAs(account('ida', ['desk']));
  const ida = makeWebClient(service);
  await loginThere(ida, service.url);
  assert.doesNotMatch((await ida.get('/account')).text, /name="current-password"/);
  assert.doesNotMatch((await admin.get('/users')).text, /eingeladen/);
  const used = await makeWebClient(service).post(link, { password: 'vier Worte ohne Sinn' });
  assert.notEqual(used.status, 200);
});

test('simultaneous changes of the rules lose none', async () => {
  await setupSingleSignOn(service, { rules: [] });
  const { singleSignOn } = service.beside;
  const audit = { actor: TESTER, atMs: 1 };
  const values = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(values.map((value) => singleSignOn.addRule(rule(value, {}), audit)));
  const ids = (await singleSignOn.read()).rules.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), values);
  assert.equal(await singleSignOn.removeRule('c', audit), true);
  assert.equal(await singleSignOn.removeRule('c', audit), false);
  assert.equal((await singleSignOn.read()).rules.length, 4);
});

test('the logout leads on to the logout of the provider, also after the session got a new token', async () => {
  provider.loginAs(account('rita', ['desk']));
  const rita = makeWebClient(service);
  await loginThere(rita, service.url);
  const first = rita.cookies.get('gastpass');
  await rita.post('/account/sessions/end', {});
  assert.notEqual(rita.cookies.get('gastpass'), first);
  const left = await rita.post('/logout', {});
  assert.equal(left.status, 200);
  const url = new URL(/content="0; url=([^"]*)/.exec(left.text)?.[1]?.replaceAll('&amp;', '&') ?? '');
  assert.equal(url.origin, provider.issuer);
  assert.equal(url.searchParams.get('post_logout_redirect_uri'), `${service.url}/login`);
  assert.ok(url.searchParams.get('id_token_hint'));
  assert.equal((await fetch(url)).status, 200);
  assert.equal((await rita.get('/vouchers')).location, '/login?next=%2Fvouchers');
});

test('a user who signed in with a password is not sent to the provider at logout', async () => {
  const admin = await loggedIn(service, 'admin@example.org');
  assert.equal((await admin.post('/logout', {})).location, '/login');
});

test('the password form can be hidden, but stays reachable and usable', async () => {
  await setupSingleSignOn(service, { hidesPasswordForm: true });
  const webClient = makeWebClient(service);
  const hidden = (await webClient.get('/login')).text;
  assert.doesNotMatch(hidden, /name="password"/);
  assert.match(hidden, /Mit Testdienst anmelden/);
  assert.match((await webClient.get('/login?local')).text, /name="password"/);
  await loggedIn(service, 'admin@example.org');
  await setupSingleSignOn(service, { provider: null });
  assert.match((await webClient.get('/login')).text, /name="password"/);
});
