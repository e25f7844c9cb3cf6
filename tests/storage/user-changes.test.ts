// Tests changes to users on every engine: their fields and sites, and that an active administrator always remains.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { upsertGrant } from '../../src/features/single-sign-on/grant-queries.ts';
import { identityRecords } from '../../src/features/single-sign-on/identity-store.ts';
import { upsertIdentity } from '../../src/features/single-sign-on/single-sign-on-queries.ts';
import { toActorText } from '../../src/kernel/audit/actor.ts';
import { makeBatchStore } from '../../src/kernel/batches/batch-store.ts';
import { asBatchId, type SiteId, type UserId } from '../../src/kernel/ids.ts';
import { deleteOtherWebSessions } from '../../src/kernel/sessions/session-queries.ts';
import { makeLoginThrottleStore, makeWebSessionStore } from '../../src/kernel/sessions/session-store.ts';
import { insertResetLink, upsertInvitation } from '../../src/kernel/users/invitation-queries.ts';
import { NOBODYS_HASH } from '../../src/kernel/users/password.ts';
import {
  insertCodes,
  insertFactor,
  insertPendingLogin,
} from '../../src/kernel/users/second-factor-queries.ts';
import { makePendingLoginStore } from '../../src/kernel/users/second-factor-store.ts';
import type { NewUser, UserChange } from '../../src/kernel/users/user.ts';
import { updatePassword } from '../../src/kernel/users/user-queries.ts';
import { makeUserStore } from '../../src/kernel/users/user-store.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, NOW_MS, sampleOrder, seal } from './samples.ts';
import { untilOneWaits } from './until-one-waits.ts';

const audit = { actor: actorOf('Web: Ada'), atMs: NOW_MS };
const OF_A_USER = [
  'web_sessions',
  'half_sign_ins',
  'invitations',
  'reset_links',
  'second_factors',
  'recovery_codes',
  'identities',
  'user_grants',
  'user_sites',
  'sign_in_failures',
] as const;

onEveryEngine('changes to users', (database) => {
  beforeEach(() =>
    database().write(async (transaction) => {
      for (const table of [...OF_A_USER, 'audit', 'batches', 'users'] as const)
        await transaction.deleteFrom(table).execute();
    }),
  );
  const users = () => makeUserStore(database(), NO_MAILS, [identityRecords]);
  const change = (id: UserId, input: UserChange) => users().change(id, input, audit);
  async function add(name: string, fields: Partial<NewUser> = {}): Promise<UserId> {
    const user = { email: `${name}@example.org`, name, passwordHash: '-', createdAtMs: NOW_MS };
    const id = await users().add({ ...user, role: 'operator', ...fields }, { ...audit, actor: TESTER });
    assert.ok(id);
    return id;
  }
  const find = async (id: UserId) => (await users().list()).find((user) => user.id === id);
  const newSite = (): Promise<SiteId> => addSite(database());
  const login = (userId: UserId, tokenHash: string, passwordHash = '-') =>
    makeWebSessionStore(database()).add(
      {
        tokenHash,
        userId,
        createdAtMs: NOW_MS,
        seenAtMs: NOW_MS,
        ip: '192.0.2.1',
        agent: '',
        external: null,
        authenticatedAtMs: NOW_MS,
        stays: false,
      },
      passwordHash,
    );
  const sessionsOf = async (id: UserId) => (await makeWebSessionStore(database()).list(id)).length;
  const hashOf = async () => (await users().findByEmail('one@example.org'))?.passwordHash;
  const entries = async () =>
    (
      await database()
        .read.selectFrom('audit')
        .selectAll()
        .where('actor', '=', toActorText(audit.actor))
        .execute()
    ).map(({ action, subject }) => `${action} ${subject}`);

  test('name, role and sites change only for that user, and the audit log contains the change', async () => {
    const [one, other, site] = [await add('one'), await add('other'), await newSite()];
    assert.equal(await change(one, { name: 'Eins', role: 'admin' }), 'changed');
    assert.equal(await change(one, { siteIds: [site] }), 'changed');
    assert.partialDeepStrictEqual(await find(one), { name: 'Eins', role: 'admin', active: true });
    assert.partialDeepStrictEqual(await find(other), { name: 'other', role: 'operator', active: true });
    assert.deepEqual(await users().listSiteIds(), new Map([[one, [site]]]));
    assert.deepEqual(await entries(), [
      `user.changed user ${one} (one@example.org): {"name":"Eins","role":"admin"}`,
      `user.changed user ${one} (one@example.org): {"siteIds":[${site}]}`,
    ]);
  });

  test('a user who does not exist cannot be changed, and no audit entry is written', async () => {
    const id = await add('gone');
    await database().write((transaction) => transaction.deleteFrom('users').where('id', '=', id).execute());
    assert.equal(await change(id, { active: false }), 'unknown');
    assert.deepEqual(await entries(), []);
  });

  test('a user’s sites are replaced by the given sites, also when the user is added', async () => {
    const [first, second] = [await newSite(), await newSite()];
    const id = await add('ben', { siteIds: [first] });
    assert.deepEqual(await users().siteIdsOf(id), [first]);
    await change(id, { siteIds: [second, second] });
    assert.deepEqual(await users().siteIdsOf(id), [second]);
    await change(id, { siteIds: [] });
    assert.deepEqual(await users().siteIdsOf(id), []);
  });

  test('deactivating a user ends only that user’s sessions; reactivating restores none of them', async () => {
    const [one, other] = [await add('one'), await add('other')];
    await login(one, 'a');
    await login(one, 'b');
    await login(other, 'c');
    await change(one, { active: false });
    assert.deepEqual([await sessionsOf(one), await sessionsOf(other)], [0, 1]);
    assert.equal(await users().findByEmail('one@example.org'), undefined);
    await change(one, { active: true });
    assert.equal(await sessionsOf(one), 0);
    assert.equal((await users().findByEmail('one@example.org'))?.id, one);
  });

  test('a new password and the end of the user’s other sessions are one transaction', async () => {
    const [one, other] = [await add('one'), await add('other')];
    for (const [id, token] of [
      [one, 'kept'],
      [one, 'stolen'],
      [other, 'foreign'],
    ] as const)
      await login(id, token);
    const setPassword = (in_: Database, passwordHash: string, keptSession?: string) =>
      makeUserStore(in_, NO_MAILS).setPassword('one@example.org', {
        passwordHash,
        audit,
        ...(keptSession && { keptSession }),
      });

    const broken = { ...database(), write: failAfter(database()) };
    await assert.rejects(setPassword(broken, 'lost'), /the crash/);
    assert.deepEqual([await hashOf(), await sessionsOf(one)], ['-', 2]);

    assert.equal(await setPassword(database(), 'new', 'kept'), true);
    const left = await makeWebSessionStore(database()).list(one);
    assert.deepEqual([await hashOf(), left.map(({ tokenHash }) => tokenHash)], ['new', ['kept']]);
    assert.equal(await setPassword(database(), 'newer'), true);
    assert.deepEqual([await sessionsOf(one), await sessionsOf(other)], [0, 1]);
  });

  test('a login whose password is changed before its session is stored gets no session', async () => {
    const one = await add('one');
    const pendingLogins = makePendingLoginStore(database());
    const pending = { tokenHash: 'pending', userId: one, createdAtMs: NOW_MS };
    await users().setPassword('one@example.org', { passwordHash: 'new', audit });
    assert.deepEqual([await login(one, 'late'), await pendingLogins.add(pending, '-')], [false, false]);
    assert.equal(await pendingLogins.find('pending'), undefined);
    assert.deepEqual([await login(one, 'in time', 'new'), await sessionsOf(one)], [true, 1]);

    // The session is stored while the transaction that changes the password is not committed yet.
    let late: Promise<boolean> | undefined;
    await database().write(async (transaction) => {
      await updatePassword(transaction, 'one@example.org', 'newer');
      late ??= login(one, 'late', 'new');
      await untilOneWaits(database());
      await deleteOtherWebSessions(transaction, one);
    });
    assert.deepEqual([await late, await sessionsOf(one)], [false, 0]);
    await change(one, { active: false });
    assert.equal(await login(one, 'inactive', 'newer'), false);
  });

  test('the last active administrator can be neither deactivated nor demoted', async () => {
    const [last, off] = [await add('last', { role: 'admin' }), await add('off', { role: 'admin' })];
    await login(last, 'a');
    assert.equal(await change(off, { active: false }), 'changed');
    for (const input of [{ active: false }, { role: 'operator' }] as const)
      assert.equal(await change(last, input), 'last-admin');
    assert.partialDeepStrictEqual(await find(last), { role: 'admin', active: true });
    assert.equal(await sessionsOf(last), 1);
    assert.equal((await entries()).length, 1);
    assert.equal(
      await change(off, { role: 'operator' }),
      'changed',
      'a deactivated administrator can be demoted',
    );
  });

  test('of a removed user only an anonymous row remains, which vouchers and batches refer to', async () => {
    const [one, other, site] = [await add('one', { role: 'admin' }), await add('other'), await newSite()];
    const batch = { wanted: 1, createdAtMs: NOW_MS, order: { siteId: site, ...sampleOrder } };
    await add('last', { role: 'admin' });
    for (const id of [one, other]) {
      const email = id === one ? 'one@example.org' : 'other@example.org';
      await change(id, { siteIds: [site] });
      await login(id, `session ${id}`);
      await makeBatchStore(database(), seal).begin({ ...batch, id: asBatchId(`batch ${id}`), userId: id });
      await makeLoginThrottleStore(database()).noteFailure('account', email, NOW_MS);
      await database().write(async (transaction) => {
        await insertPendingLogin(transaction, {
          tokenHash: `pending ${id}`,
          userId: id,
          createdAtMs: NOW_MS,
        });
        await upsertInvitation(transaction, id, {
          tokenHash: `invitation ${id}`,
          expiresAtMs: NOW_MS + 1,
          passwordDigest: '-',
          isFirst: true,
        });
        await insertResetLink(transaction, id, {
          tokenHash: `reset ${id}`,
          expiresAtMs: NOW_MS + 1,
          passwordDigest: '-',
          atMs: NOW_MS,
        });
        await insertFactor(transaction, id, { sealedSecret: '-', lastStep: 0, createdAtMs: NOW_MS });
        await insertCodes(transaction, id, ['code']);
        const identity = {
          issuer: 'i',
          subject: email,
          shownEmail: email,
          verifiedEmail: email,
          name: email,
        };
        await upsertIdentity(transaction, identity, { userId: id, atMs: NOW_MS });
        const own = { role: 'operator' as const, siteIds: [] };
        await upsertGrant(transaction, id, { ruleIds: ['rule'], own });
      });
    }

    assert.equal(await users().remove(one, audit), 'removed');
    for (const table of OF_A_USER) {
      const rows = await database().read.selectFrom(table).selectAll().execute();
      assert.equal(rows.length, 1, table);
      assert.doesNotMatch(JSON.stringify(rows), /one@example/);
    }
    const row = database().read.selectFrom('users').selectAll().where('id', '=', one);
    const { password_hash, created_at_ms, ...left } = await row.executeTakeFirstOrThrow();
    assert.deepEqual(left, { id: one, email: `removed ${one}`, name: '', role: 'operator', active: 0 });
    assert.equal(password_hash, NOBODYS_HASH);
    assert.equal(
      (await makeBatchStore(database(), seal).find(asBatchId(`batch ${one}`)))?.createdBy.name,
      '',
    );
    assert.equal((await entries()).at(-1), `user.removed user ${one} (one@example.org)`);

    assert.equal(await find(one), undefined);
    for (const outcome of [await change(one, { active: true }), await users().remove(one, audit)])
      assert.equal(outcome, 'unknown');
    assert.notEqual(await add('one'), one, 'the address is free again');
  });

  test('the last active administrator cannot be removed', async () => {
    const [last, off] = [await add('last', { role: 'admin' }), await add('off', { role: 'admin' })];
    await change(off, { active: false });
    assert.equal(await users().remove(last, audit), 'last-admin');
    assert.partialDeepStrictEqual(await find(last), { name: 'last', role: 'admin', active: true });
    assert.equal(await users().remove(off, audit), 'removed');
  });

  test('of administrators who deactivate each other at the same time, one stays', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = [
        await add(`x${round}`, { role: 'admin' }),
        await add(`y${round}`, { role: 'admin' }),
        await add(`z${round}`, { role: 'admin' }),
      ];
      const outcomes = await Promise.all(ids.map((id) => change(id, { active: false })));
      assert.deepEqual(outcomes.toSorted(), ['changed', 'changed', 'last-admin']);
      await database().write((transaction) => transaction.deleteFrom('users').execute());
    }
  });
});

/** Runs a transaction to its last statement and then fails, as if the process had crashed before the commit. */
function failAfter({ write }: Database): Database['write'] {
  return (change) =>
    write(async (transaction) => {
      await change(transaction);
      throw new Error('the crash');
    });
}
