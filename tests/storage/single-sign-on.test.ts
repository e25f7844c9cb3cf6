// Tests the storage of single sign-on: secrets are sealed, the environment takes precedence, and simultaneous first
// logins of one user add one user.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { asUserId } from '../../src/domain/ids.ts';
import { makeSeal } from '../../src/storage/seal.ts';
import { makeWebSessionStore } from '../../src/storage/sessions/store.ts';
import { makeIdentityStore } from '../../src/storage/single-sign-on/identity-store.ts';
import { makeExternalSessionStore, makeSingleSignOnStore } from '../../src/storage/single-sign-on/store.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { seal } from './samples.ts';

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
const OPERATOR = { role: 'operator' as const, siteIds: [] };

onEveryEngine('single sign-on', (database) => {
  const store = () => makeSingleSignOnStore(database(), { seal, fromEnvironment: undefined });
  const identities = () => makeIdentityStore(database());
  beforeEach(async () => {
    for (const table of [
      'external_sessions',
      'web_sessions',
      'identities',
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
    const session = {
      userId,
      createdAtMs: 5,
      seenAtMs: 5,
      external: null,
      authenticatedAtMs: 5,
      stays: false,
      ip: '',
      agent: '',
    };
    await external.add({ ...session, tokenHash: 'one' }, 'the ID token');
    await external.add({ ...session, tokenHash: 'two' });
    const kindOf = async (tokenHash: string) => (await sessions.find(tokenHash))?.session.external;
    assert.deepEqual([await kindOf('one'), await kindOf('two')], ['provider', 'proxy']);
    assert.equal(await external.idTokenOf('one'), 'the ID token');
    assert.equal(await external.idTokenOf('two'), undefined);
    const rows = await database().read.selectFrom('external_sessions').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes('the ID token'));
    await sessions.endOthers(userId);
    assert.equal(await external.idTokenOf('one'), undefined);
  });
});
