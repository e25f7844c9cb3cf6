// Tests the stores behind the web interface on every engine: sessions, failed logins, profiles and batches.

import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { searchAudit } from '../../src/kernel/audit/audit-queries.ts';
import type { FailedSearch } from '../../src/kernel/batches/batch.ts';
import { makeBatchStore } from '../../src/kernel/batches/batch-store.ts';
import { asBatchId, asSiteId, asUserId, type BatchId } from '../../src/kernel/ids.ts';
import { makeProfileStore } from '../../src/kernel/profiles/profile-store.ts';
import { makeLoginThrottleStore, makeWebSessionStore } from '../../src/kernel/sessions/session-store.ts';
import type { ThrottleKind } from '../../src/kernel/users/login-throttle.ts';
import { insertUser } from '../../src/kernel/users/user-queries.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import type { Intent } from '../../src/kernel/vouchers/voucher-records.ts';
import { actorOf } from '../support/actors.ts';
import { onEveryEngine } from './engines.ts';
import { addSite, codeOf, NOW_MS, sampleIntent, sampleOrder, sampleUpstream, seal } from './samples.ts';

const audit = { actor: actorOf('Web: ada'), atMs: NOW_MS };

onEveryEngine('stores of the web interface', (database) => {
  let users = 0;
  const addUser = async () => {
    const email = `person${++users}@example.org`;
    const user = { email, name: 'Ada', role: 'operator', passwordHash: 'x', createdAtMs: 1 } as const;
    const id = await database().write((transaction) => insertUser(transaction, user));
    assert.ok(id);
    return id;
  };
  const session = (tokenHash: string, userId: number, fields = {}) => ({
    tokenHash,
    userId: asUserId(userId),
    createdAtMs: NOW_MS,
    seenAtMs: NOW_MS,
    ip: '192.0.2.1',
    agent: 'Browser',
    external: null,
    authenticatedAtMs: NOW_MS,
    stays: false,
    ...fields,
  });

  test('a session is found with its user until it is ended or the user is deactivated', async () => {
    const sessions = makeWebSessionStore(database());
    const userId = await addUser();
    for (const hash of ['s1', 's2', 's3']) await sessions.add(session(hash, userId), 'x');
    assert.equal((await sessions.find('s1'))?.user.id, userId);
    assert.equal(
      await sessions.end(await addUser(), 's1'),
      false,
      'a user cannot end the session of another user',
    );
    assert.equal(await sessions.end(userId, 's1'), true);
    assert.equal(await sessions.find('s1'), undefined);
    await sessions.endOthers(userId, 's3');
    assert.deepEqual(
      (await sessions.list(userId)).map(({ tokenHash }) => tokenHash),
      ['s3'],
    );
    await database().write((transaction) =>
      transaction.updateTable('users').set({ active: 0 }).where('id', '=', userId).execute(),
    );
    assert.equal(await sessions.find('s3'), undefined);
  });

  test('sessions are deleted when they are too old or too long idle', async () => {
    const sessions = makeWebSessionStore(database());
    const userId = await addUser();
    await sessions.add(session('old', userId, { createdAtMs: 1 }), 'x');
    await sessions.add(session('idle', userId, { seenAtMs: 1 }), 'x');
    await sessions.add(session('left', userId, { seenAtMs: 1, stays: true }), 'x');
    await sessions.add(session('fresh', userId), 'x');
    await sessions.add(
      session('staying', userId, { createdAtMs: 1, seenAtMs: NOW_MS - 1, stays: true }),
      'x',
    );
    await sessions.forgetOld(NOW_MS);
    assert.deepEqual(
      (await sessions.list(userId)).map(({ tokenHash }) => tokenHash),
      ['fresh', 'staying'],
    );
  });

  test('failed logins are counted per account and IP address, until a successful login or a time limit', async () => {
    const loginThrottle = makeLoginThrottleStore(database());
    for (let times = 1; times <= 3; times++) await loginThrottle.noteFailure('account', 'x', NOW_MS + times);
    assert.deepEqual(await loginThrottle.find('account', 'x'), { count: 3, lastAtMs: NOW_MS + 3 });
    assert.equal(await loginThrottle.find('ip', 'x'), undefined);
    await loginThrottle.forget('account', 'x');
    assert.equal(await loginThrottle.find('account', 'x'), undefined);
    await loginThrottle.noteFailure('ip', 'y', NOW_MS);
    await loginThrottle.forgetOld(NOW_MS + 1);
    assert.equal(await loginThrottle.find('ip', 'y'), undefined);
  });

  test('one network contributes at most 10 failures to the total of an account, and one IPv6 /48 at most 20', async () => {
    const loginThrottle = makeLoginThrottleStore(database());
    const fail = (subjects: (readonly [ThrottleKind, string])[], totalOf: string) =>
      loginThrottle.noteFailedLogin({
        subjects,
        totalOf,
        user: undefined,
        action: 'user.sign-in-failed',
        ip: '',
        atMs: NOW_MS,
      });
    for (let turn = 0; turn < 12; turn++) await fail([['account-network', 'n 192.0.2.1']], 'n');
    assert.equal((await loginThrottle.find('account-total', 'n'))?.count, 10);
    const prefix = ['account-prefix', 'p 2001:db8::/48'] as const;
    for (let network = 0; network < 25; network++)
      await fail([['account-network', `p 2001:db8:0:${network}::/64`], prefix], 'p');
    assert.equal((await loginThrottle.find('account-total', 'p'))?.count, 20);
  });

  test('the hour of the total of an account begins with its first failure, however many follow', async () => {
    const loginThrottle = makeLoginThrottleStore(database());
    const fail = (minute: number) =>
      loginThrottle.noteFailure('account-total', 'slow', NOW_MS + minute * 60_000);
    for (const minute of [0, 30, 59]) await fail(minute);
    assert.deepEqual(await loginThrottle.find('account-total', 'slow'), { count: 3, lastAtMs: NOW_MS });
    await fail(60);
    assert.equal((await loginThrottle.find('account-total', 'slow'))?.count, 1);
  });

  test('failures of a clock that was far ahead do not add up with later ones', async () => {
    const loginThrottle = makeLoginThrottleStore(database());
    const aheadMs = NOW_MS + 800 * 24 * 60 * 60_000;
    for (const kind of ['account', 'account-total'] as const) {
      for (const atMs of [aheadMs, aheadMs, NOW_MS]) await loginThrottle.noteFailure(kind, 'ahead', atMs);
      assert.deepEqual(await loginThrottle.find(kind, 'ahead'), { count: 1, lastAtMs: NOW_MS });
    }
    await loginThrottle.noteFailure('device-code', 'ahead', aheadMs);
    assert.ok(await loginThrottle.takeAttempt('device-code', 'ahead', { seen: 1, atMs: NOW_MS }));
    assert.deepEqual(await loginThrottle.find('device-code', 'ahead'), { count: 1, lastAtMs: NOW_MS });
  });

  test('a failed login is one transaction, whether the user exists or not', async () => {
    const write = mock.fn(database().write);
    const loginThrottle = makeLoginThrottleStore({ ...database(), write });
    const failure = {
      subjects: [
        ['account-network', 'a'],
        ['ip', 'b'],
      ] as const,
      totalOf: 'c',
      action: 'user.sign-in-failed' as const,
      ip: 'b',
      atMs: NOW_MS,
    };
    await loginThrottle.noteFailedLogin({ ...failure, user: undefined });
    assert.equal(write.mock.callCount(), 1);
    const user = {
      id: await addUser(),
      email: 'ada@example.org',
      name: 'Ada',
      role: 'operator',
      active: true,
      createdAtMs: 0,
    } as const;
    await loginThrottle.noteFailedLogin({ ...failure, user });
    assert.equal(write.mock.callCount(), 2);
    for (const [throttled, subject] of [...failure.subjects, ['account-total', 'c'] as const])
      assert.equal((await loginThrottle.find(throttled, subject))?.count, 2);
    const { entries } = await searchAudit(database().read, { action: 'user.sign-in-failed', limit: 9 });
    assert.deepEqual(
      entries.map(({ subject }) => subject),
      [`user ${user.id} (ada@example.org)`],
    );
  });

  test('profiles are listed by name with their sites, and can be changed and removed', async () => {
    const profiles = makeProfileStore(database());
    const siteId = await addSite(database());
    const limits = { maxUses: 2, expireMinutes: 90, downKbps: 1, upKbps: 2, quotaMb: 3 };
    const [zoo, arzt] = [
      await profiles.add({ name: 'Zoo', ...limits, siteIds: [siteId] }, audit),
      await profiles.add({ name: 'Ärzte', ...limits, siteIds: [] }, audit),
    ];
    assert.deepEqual(
      (await profiles.list()).map(({ id, name, siteIds, maxUses }) => [id, name, siteIds, maxUses]),
      [
        [arzt, 'Ärzte', [], 2],
        [zoo, 'Zoo', [siteId], 2],
      ],
    );
    assert.equal(await profiles.change(zoo, { name: 'Zoo', ...limits, siteIds: [] }, audit), true);
    assert.equal(await profiles.remove(arzt, audit), true);
    assert.equal(await profiles.remove(arzt, audit), false);
    assert.deepEqual(
      (await profiles.list()).map(({ siteIds }) => siteIds),
      [[]],
    );
  });

  test('a batch is begun once and ended once', async () => {
    const batches = makeBatchStore(database(), seal);
    const userId = await addUser();
    const siteId = asSiteId(await addSite(database()));
    const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
    const order = { siteId, name: 'Tagung', ...limits };
    const batch = { id: asBatchId(`b-${userId}`), userId, order, wanted: 3, createdAtMs: NOW_MS };
    assert.deepEqual([await batches.begin(batch), await batches.begin(batch)], [true, false]);
    assert.ok((await batches.listOpen()).some(({ id }) => id === batch.id));
    await batches.end(batch.id, { problem: 'away', cause: 'away', actor: actorOf('Web: Ada'), atMs: NOW_MS });
    await batches.end(batch.id, { problem: null, cause: null, actor: actorOf('Web: Ada'), atMs: NOW_MS + 1 });
    assert.partialDeepStrictEqual(await batches.find(batch.id), {
      order,
      wanted: 3,
      vouchers: [],
      problem: 'away',
      cause: 'away',
      endedAtMs: NOW_MS,
    });
    assert.ok(!(await batches.listOpen()).some(({ id }) => id === batch.id));
  });

  test('a failed batch is listed for its user until it is tried again or settled', async () => {
    const batches = makeBatchStore(database(), seal);
    const userId = await addUser();
    const siteId = asSiteId(await addSite(database()));
    const { name: _, ...limits } = sampleOrder;
    const order = { siteId, name: 'Tagung', ...limits };
    const idOf = (name: string) => asBatchId(`${name}-${userId}`);
    const [one, other, retry, running] = [idOf('one'), idOf('other'), idOf('retry'), idOf('running')];
    const begin = (id: BatchId, createdAtMs: number, insteadOf?: BatchId) =>
      batches.begin({ id, userId, order, wanted: 1, createdAtMs, ...(insteadOf && { insteadOf }) });
    const fail = (id: BatchId) =>
      batches.end(id, { problem: 'away', cause: 'away', actor: actorOf('Web: Ada'), atMs: NOW_MS + 9 });
    const listed = async (input: Partial<FailedSearch> = {}) =>
      (await batches.listFailed({ userId, siteIds: [siteId], sinceMs: 0, ...input })).map(({ id }) => id);

    await begin(one, NOW_MS);
    await begin(other, NOW_MS + 1);
    await begin(running, NOW_MS + 2);
    await Promise.all([one, other].map(fail));
    assert.deepEqual(await listed(), [other, one]);
    assert.deepEqual(await listed({ sinceMs: NOW_MS }), [other]);
    assert.deepEqual(await listed({ userId: await addUser() }), []);
    assert.deepEqual(await listed({ siteIds: [] }), []);
    await begin(retry, NOW_MS + 3, other);
    assert.deepEqual(await listed(), [one]);
    await fail(retry);
    await begin(retry, NOW_MS + 4, one);
    assert.deepEqual(await listed(), [retry, one], 'a batch that exists settles nothing');
    await batches.settleFailed(userId, NOW_MS + 5);
    assert.deepEqual(await listed(), []);
    const vouchers = makeVoucherStore(database(), seal);
    const begun = await vouchers.begin(sampleIntent(siteId, { batchId: running, userId }));
    await fail(running);
    assert.deepEqual(await listed(), [running], 'an order that fails later');
    assert.ok(begun.ok && codeOf(await vouchers.record(begun.value, [sampleUpstream('late')])));
    assert.deepEqual(await listed(), [], 'its voucher turned out to exist');
  });

  test('a batch gets one audit entry when it ends; a voucher recorded later gets its own entry', async () => {
    const batches = makeBatchStore(database(), seal);
    const vouchers = makeVoucherStore(database(), seal);
    const userId = await addUser();
    const siteId = asSiteId(await addSite(database()));
    const subjects = async () => {
      const of = database().read.selectFrom('audit').select('subject').where('actor', '=', `Web: ${userId}`);
      return (await of.orderBy('id').execute()).map(({ subject }) => subject);
    };
    const { name: _, ...limits } = sampleOrder;
    const batchId = asBatchId(`audited-${userId}`);
    const order = { siteId, name: 'Zimmer 12', ...limits };
    await batches.begin({ id: batchId, userId, order, wanted: 3, createdAtMs: NOW_MS });
    const intent = sampleIntent(siteId, { batchId, userId, actor: actorOf(`Web: ${userId}`) });
    const begun = await vouchers.begin(intent, { count: 4 });
    assert.ok(begun.ok && begun.value.length === 3);
    const [first, second, third] = begun.value;
    assert.ok(first && second && third);
    const record = async (one: Intent, id: string) =>
      assert.ok(codeOf(await vouchers.record([one], [sampleUpstream(id)])));
    await record(first, 'id-1');
    await record(second, 'id-2');
    assert.deepEqual(await subjects(), []);
    await batches.end(batchId, {
      problem: 'away',
      cause: 'away',
      actor: actorOf(`Web: ${userId}`),
      atMs: NOW_MS,
    });
    const site = `site ${siteId} (Haus A)`;
    assert.deepEqual(await subjects(), [`batch ${batchId} of ${site}: 2 vouchers, 2026-01-15_Zimmer 12`]);
    await record(third, 'id-3');
    const [, later] = await subjects();
    assert.equal(later?.replace(/^voucher \d+ of /, ''), `${site}: 2026-01-15_Zimmer 12`);
  });
});
