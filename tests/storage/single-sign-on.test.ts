// Tests the storage of single sign-on: secrets are sealed, the environment takes precedence, and simultaneous first
// logins of one user add one user.

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { identityRecords, makeIdentityStore } from '../../src/features/single-sign-on/identity-store.ts';
import { grantOf, type Rule } from '../../src/features/single-sign-on/rules.ts';
import { makeSingleSignOnStore } from '../../src/features/single-sign-on/single-sign-on-store.ts';
import { asUserId, type SiteId, type UserId } from '../../src/kernel/ids.ts';
import { makeExternalSessionStore } from '../../src/kernel/sessions/external-session-store.ts';
import { makeWebSessionStore } from '../../src/kernel/sessions/session-store.ts';
import type { WebSession } from '../../src/kernel/sessions/web-session.ts';
import type { Role } from '../../src/kernel/users/user.ts';
import { makeUserStore } from '../../src/kernel/users/user-store.ts';
import { makeSeal } from '../../src/platform/secrets/seal.ts';
import { actorOf } from '../support/actors.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, seal } from './samples.ts';

const by = { actor: actorOf('Web: Anna'), atMs: 5 };
const at = { atMs: 5, ip: '192.0.2.1' };
const SECRET = 'das Geheimnis';
const provider = {
  issuer: 'https://login.example.org',
  clientId: 'gastpass',
  clientSecret: SECRET,
  scopes: 'openid',
};
const identity = (name: string) => ({
  issuer: provider.issuer,
  subject: `subject of ${name}`,
  verifiedEmail: `${name}@example.org`,
  shownEmail: `${name}@example.org`,
  name,
});
const OPERATOR = { role: 'operator' as const, siteIds: [], ruleIds: [] };
const sessionOf = (userId: UserId): WebSession => ({
  tokenHash: 'one',
  userId,
  createdAtMs: 5,
  seenAtMs: 5,
  external: null,
  authenticatedAtMs: 5,
  stays: false,
  ip: '',
  agent: '',
});

onEveryEngine('single sign-on', (database) => {
  const store = () => makeSingleSignOnStore(database(), { seal, fromEnvironment: undefined });
  const identities = () => makeIdentityStore(database());
  beforeEach(async () => {
    for (const table of [
      'external_sessions',
      'web_sessions',
      'identities',
      'user_sites',
      'sites',
      'users',
      'single_sign_on',
    ] as const)
      await database().write((transaction) => transaction.deleteFrom(table).execute());
  });

  test('there is no provider and no rule until an administrator decides', async () => {
    assert.deepEqual(await store().read(), {
      provider: null,
      isFromEnvironment: false,
      label: '',
      rules: [],
      hidesPasswordForm: false,
      trustsEmail: false,
    });
  });

  test('the client secret is sealed, and the audit log does not contain it', async () => {
    await store().change({ provider }, by);
    await store().change({ label: 'Anbieter' }, by);
    assert.deepEqual((await store().read()).provider, provider);
    const rows = await database().read.selectFrom('single_sign_on').selectAll().execute();
    const entries = await database().read.selectFrom('audit').selectAll().execute();
    assert.ok(entries.some(({ action }) => action === 'single-sign-on.changed'));
    assert.ok(!JSON.stringify([rows, entries]).includes(SECRET));
    await store().change({ provider: null }, by);
    assert.equal((await store().read()).provider, null);
  });

  test('a rule that cannot be read matches nobody, and a secret that cannot be opened is missing', async () => {
    const rule = { id: '1', claim: 'groups', value: 'desk', role: 'operator' as const, siteIds: [] };
    await store().change({ provider, rules: [rule] }, by);
    const rules = JSON.stringify([{ ...rule, role: 'auditor' }, rule, 'x']);
    await database().write((transaction) =>
      transaction.updateTable('single_sign_on').set({ rules, sealed_client_secret: 'v1.x' }).execute(),
    );
    const found = await store().read();
    assert.deepEqual([found.rules, found.provider?.clientSecret], [[rule], null]);
  });

  test('a provider from the environment replaces the stored one', async () => {
    await store().change({ provider, label: 'Anbieter' }, by);
    const fromEnvironment = { issuer: 'https://other.example.org', clientId: 'x' };
    const found = await makeSingleSignOnStore(database(), { seal, fromEnvironment }).read();
    assert.deepEqual(found.provider, {
      ...fromEnvironment,
      clientSecret: null,
      scopes: 'openid profile email',
    });
    assert.deepEqual([found.isFromEnvironment, found.label], [true, 'Anbieter']);
  });

  test('a login on its way is opened unchanged, and any other text is refused', () => {
    const attempt = {
      secrets: { state: 's', nonce: 'n', verifier: 'v' },
      issuer: provider.issuer,
      clientId: 'gastpass',
      redirectUri: 'https://gastpass.example.org/login/oidc/callback',
      next: '/',
      isAgain: false,
      testedBy: asUserId(3),
      beganAtMs: 5,
    };
    const sealed = store().sealAttempt(attempt);
    assert.deepEqual(store().openAttempt(sealed), attempt);
    for (const text of ['', 'v1.x', sealed.slice(0, -2), seal.text.seal('offer 1 ABC'), seal.text.seal('{}')])
      assert.equal(store().openAttempt(text), undefined);
    const other = makeSeal('another secret');
    assert.equal(store().openAttempt(other.text.seal(JSON.stringify(attempt))), undefined);
  });

  test('simultaneous first logins of one user add one user', async () => {
    const admitted = await Promise.all(
      [1, 2, 3, 4].map(() => identities().admit(identity('rita'), OPERATOR, at)),
    );
    const ids = new Set(admitted.map((one) => (one.ok ? one.value.id : 'refused')));
    assert.equal(ids.size, 1);
    assert.equal((await database().read.selectFrom('identities').selectAll().execute()).length, 1);
  });

  test('the same subject of another issuer is another identity', async () => {
    const one = await identities().admit(identity('rita'), OPERATOR, at);
    const other = { ...identity('rita'), issuer: 'https://other.example.org', verifiedEmail: undefined };
    assert.deepEqual(await identities().admit(other, OPERATOR, at), {
      ok: false,
      problem: { kind: 'email-unverified' },
    });
    assert.ok(one.ok);
  });

  test('the ID token of a session is sealed and disappears with the session', async () => {
    const admitted = await identities().admit(identity('rita'), OPERATOR, at);
    assert.ok(admitted.ok);
    const sessions = makeWebSessionStore(database());
    const external = makeExternalSessionStore(database(), seal);
    const userId = admitted.value.id;
    const session = sessionOf(userId);
    const tokens = { idToken: 'the ID token', refreshToken: 'the refresh token' };
    const check = { lastAtMs: 5, nextAtMs: 10 };
    await external.add({ ...session, check }, tokens);
    await external.add({ ...session, tokenHash: 'two' });
    const kindOf = async (tokenHash: string) => (await sessions.find(tokenHash))?.session.external;
    assert.deepEqual([await kindOf('one'), await kindOf('two')], ['provider', 'proxy']);
    assert.equal(await external.idTokenOf('one'), 'the ID token');
    assert.equal(await external.idTokenOf('two'), undefined);
    const rows = await database().read.selectFrom('external_sessions').selectAll().execute();
    assert.ok(!/the (ID|refresh) token/.test(JSON.stringify(rows)));
    await sessions.endOthers(userId);
    assert.equal(await external.idTokenOf('one'), undefined);
    assert.deepEqual(await database().read.selectFrom('external_sessions').selectAll().execute(), []);
  });

  test('of simultaneous requests and instances, one gets the refresh token when the check is due', async () => {
    const admitted = await identities().admit(identity('rita'), OPERATOR, at);
    assert.ok(admitted.ok);
    const external = makeExternalSessionStore(database(), seal);
    const session = { ...sessionOf(admitted.value.id), check: { lastAtMs: 5, nextAtMs: 10 } };
    const tokens = { idToken: 'an ID token', refreshToken: 'a refresh token' };
    await external.add(session, tokens);
    const claim = (nowMs: number) => external.claimCheck('one', { nowMs, nextAtMs: nowMs + 5 });
    assert.equal(await claim(9), undefined);
    const claims = await Promise.all([1, 2, 3, 4].map(() => claim(10)));
    assert.deepEqual(
      claims.filter((claimed) => claimed !== undefined),
      [tokens],
    );
    await external.replaceRefreshToken('one', 'the next one');
    assert.deepEqual(await claim(15), { ...tokens, refreshToken: 'the next one' });
    await database().write((transaction) =>
      transaction.updateTable('external_sessions').set({ sealed_refresh_token: 'v2.x' }).execute(),
    );
    assert.equal(await claim(20), null);
  });

  describe('what rules gave', () => {
    const rule = (id: string, grant: Partial<Rule> = {}): Rule => ({
      id,
      claim: 'groups',
      value: id,
      role: 'operator',
      siteIds: [],
      ...grant,
    });
    const users = () => makeUserStore(database(), NO_MAILS, [identityRecords]);
    const rightsOf = async (id: UserId) => {
      const user = (await users().list()).find((found) => found.id === id);
      return [user?.role, await users().siteIdsOf(id)];
    };
    /** A user with a password and own rights. */
    async function addKarl(role: Role, siteIds: SiteId[]): Promise<UserId> {
      const user = { email: 'karl@example.org', name: 'Karl', role, passwordHash: 'x', createdAtMs: 1 };
      const id = await users().add({ ...user, siteIds }, by);
      assert.ok(id);
      return id;
    }
    const login = (...rules: Rule[]) => {
      const grant = grantOf(rules);
      assert.ok(grant);
      return identities().admit(identity('karl'), grant, at);
    };
    let one: SiteId;
    let two: SiteId;
    beforeEach(async () => {
      [one, two] = [await addSite(database()), await addSite(database())];
      const admin = { email: 'admin@example.org', name: 'Admin', role: 'admin' as const };
      await users().add({ ...admin, passwordHash: 'x', createdAtMs: 1 }, by);
    });

    test('the user gets back the own rights when the last rule is gone', async () => {
      const id = await addKarl('operator', [one]);
      const rules = [rule('it', { role: 'admin' }), rule('spa', { siteIds: [one, two] })];
      await store().change({ rules }, by);
      await login(...rules);
      assert.deepEqual(await rightsOf(id), ['admin', []]);
      await store().removeRule('it', by);
      assert.deepEqual(await rightsOf(id), ['operator', [one, two]]);
      await store().removeRule('spa', by);
      assert.deepEqual(await rightsOf(id), ['operator', [one]]);
    });

    test('also if the provider says that no rule matches, or the link is removed', async () => {
      const id = await addKarl('operator', [one]);
      await login(rule('it', { role: 'admin' }));
      await identities().refuse(identity('karl'), at);
      assert.deepEqual(await rightsOf(id), ['operator', [one]]);
      const admitted = await login(rule('it', { role: 'admin' }));
      assert.ok(admitted.ok);
      await identities().unlink(admitted.value, by);
      assert.deepEqual(await rightsOf(id), ['operator', [one]]);
    });

    test('taking rights away never gives any', async () => {
      const id = await addKarl('admin', []);
      await login(rule('spa', { siteIds: [two] }));
      await identities().refuse(identity('karl'), at);
      assert.deepEqual(await rightsOf(id), ['operator', [two]]);
    });

    test('removing one of two rules does not give back what an administrator took', async () => {
      const id = await addKarl('operator', [one]);
      const rules = [rule('it', { role: 'admin' }), rule('ops', { role: 'admin' })];
      await store().change({ rules }, by);
      await login(...rules);
      await users().change(id, { role: 'operator', siteIds: [two] }, by);
      await store().removeRule('ops', by);
      assert.deepEqual(await rightsOf(id), ['operator', [two]]);
    });

    test('what an administrator decides becomes an own right', async () => {
      const id = await addKarl('operator', [one]);
      await login(rule('spa', { siteIds: [two] }));
      await users().change(id, { siteIds: [one, two] }, by);
      await identities().refuse(identity('karl'), at);
      assert.deepEqual(await rightsOf(id), ['operator', [one, two]]);
    });

    test('an own role that only a newer release knows counts as none', async () => {
      const id = await addKarl('operator', [one]);
      await login(rule('it', { role: 'admin' }));
      await database().write((transaction) =>
        transaction.updateTable('user_grants').set({ own_role: 'auditor' }).execute(),
      );
      await identities().refuse(identity('karl'), at);
      assert.deepEqual(await rightsOf(id), ['operator', []]);
    });

    test('a user whom the provider added has no own rights', async () => {
      const admitted = await login(rule('it', { role: 'admin' }));
      assert.ok(admitted.ok);
      await identities().refuse(identity('karl'), at);
      assert.deepEqual(await rightsOf(admitted.value.id), ['operator', []]);
    });

    test('the last administrator keeps the role when the rule is removed, but not the sessions', async () => {
      const id = await addKarl('operator', []);
      const it = rule('it', { role: 'admin' });
      await store().change({ rules: [it] }, by);
      await login(it);
      await database().write((transaction) =>
        transaction.deleteFrom('users').where('email', '=', 'admin@example.org').execute(),
      );
      await makeExternalSessionStore(database(), seal).add(sessionOf(id), { idToken: 'an ID token' });
      await store().removeRule('it', by);
      assert.deepEqual(await rightsOf(id), ['admin', []]);
      assert.deepEqual(await makeWebSessionStore(database()).list(id), []);
    });

    test('sessions of a release that did not record the rules end with any rule', async () => {
      const id = await addKarl('operator', []);
      await store().change({ rules: [rule('it')] }, by);
      await makeExternalSessionStore(database(), seal).add(sessionOf(id), { idToken: 'an ID token' });
      await store().removeRule('it', by);
      assert.deepEqual(await makeWebSessionStore(database()).list(id), []);
    });
  });
});
