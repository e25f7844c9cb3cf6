// Tests the stores of second factors, recovery codes and pending logins on every engine: a code is accepted once, also
// when it is used several times at the same moment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { makeCheckCode } from '../../src/kernel/sessions/check-code.ts';
import {
  makeLoginThrottleStore,
  makeOneTimeFormStore,
  makeWebSessionStore,
} from '../../src/kernel/sessions/session-store.ts';
import { hashRecoveryCode, makeRecoveryCodes } from '../../src/kernel/users/recovery-codes.ts';
import { makePendingLoginStore, makeSecondFactorStore } from '../../src/kernel/users/second-factor-store.ts';
import type { User } from '../../src/kernel/users/user.ts';
import { makeUserStore } from '../../src/kernel/users/user-store.ts';
import { makeBulkRevocationStore } from '../../src/kernel/vouchers/storage/bulk-revocation-store.ts';
import { makeVoucherStore } from '../../src/kernel/vouchers/storage/voucher-store.ts';
import { makeCleanUpTurn } from '../../src/kernel/vouchers/turns/clean-up.ts';
import { actorOf, TESTER } from '../support/actors.ts';
import { NO_MAILS } from '../support/no-mails.ts';
import { onEveryEngine } from './engines.ts';
import { NOW_MS, seal } from './samples.ts';

const audit = { actor: actorOf('Web: Ada'), atMs: NOW_MS };
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const AT_ONCE = 8;

onEveryEngine('second factors', (database) => {
  const factors = () => makeSecondFactorStore(database(), seal, NO_MAILS);
  const halves = () => makePendingLoginStore(database());
  const users = () => makeUserStore(database(), NO_MAILS);
  let added = 0;
  async function addUser(): Promise<User> {
    const email = `user${++added}@example.org`;
    const user = { email, name: 'Ada', role: 'operator', passwordHash: '-', createdAtMs: 1 } as const;
    const id = await users().add(user, { actor: TESTER, atMs: 1 });
    assert.ok(id);
    return { id, email, name: 'Ada', role: 'operator', active: true, createdAtMs: 1 };
  }
  async function addOwner(codes = makeRecoveryCodes()) {
    const user = await addUser();
    const factor = { secret: SECRET, step: 10, codeHashes: codes.codeHashes };
    assert.equal(await factors().turnOn(user, factor, audit), true);
    return { user, codes: codes.codes };
  }
  const atOnce = async (run: () => Promise<boolean>) =>
    (await Promise.all(Array.from({ length: AT_ONCE }, run))).filter(Boolean).length;
  const entriesOf = async ({ id, email }: User) =>
    (
      await database()
        .read.selectFrom('audit')
        .selectAll()
        .where('subject', '=', `user ${id} (${email})`)
        .execute()
    ).map(({ actor, action }) => `${actor} ${action}`);

  test('a second factor is turned on once, with ten recovery codes and a sealed secret', async () => {
    const { user } = await addOwner();
    const other = { secret: 'AAAA', step: 99, codeHashes: makeRecoveryCodes().codeHashes };
    assert.equal(await factors().turnOn(user, other, audit), false);
    assert.deepEqual(await factors().secretOf(user.id), {
      secret: SECRET,
      lastStep: 10,
      createdAtMs: NOW_MS,
    });
    assert.deepEqual(await factors().find(user.id), { createdAtMs: NOW_MS, codesLeft: 10 });
    assert.ok((await factors().listOwners()).has(user.id));
    const rows = await database().read.selectFrom('second_factors').selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes(SECRET));
    assert.deepEqual(await entriesOf(user), ['Web: Ada user.second-factor-on']);
  });

  test('each time step is accepted once, also when used concurrently, and earlier steps are refused', async () => {
    const { user } = await addOwner();
    const use = (step: number) => factors().useStep(user.id, step);
    assert.equal(await use(10), false, 'the step that confirmed the second factor');
    assert.equal(await atOnce(() => use(11)), 1);
    assert.deepEqual([await use(11), await use(10), await use(12)], [false, false, true]);
  });

  test('a recovery code is accepted once, also when used concurrently', async () => {
    const { user, codes } = await addOwner();
    const { user: somebody } = await addOwner();
    const hash = hashRecoveryCode(codes[0] ?? '');
    assert.equal(
      await factors().useRecoveryCode(somebody, hash, audit),
      false,
      'a code of another user is refused',
    );
    assert.equal(await atOnce(() => factors().useRecoveryCode(user, hash, audit)), 1);
    assert.equal((await factors().find(user.id))?.codesLeft, 9);
    assert.deepEqual((await entriesOf(user)).slice(1), ['Web: Ada user.recovery-code-used']);
  });

  test('new recovery codes replace all previous codes, also when created concurrently', async () => {
    const { user, codes } = await addOwner();
    const renew = () => factors().replaceRecoveryCodes(user, makeRecoveryCodes().codeHashes, audit);
    assert.equal(await atOnce(renew), AT_ONCE);
    assert.equal((await factors().find(user.id))?.codesLeft, 10);
    assert.equal(await factors().useRecoveryCode(user, hashRecoveryCode(codes[0] ?? ''), audit), false);
    const nobody = await addUser();
    assert.equal(await factors().replaceRecoveryCodes(nobody, ['x'], audit), false);
  });

  test('turning off or removing a second factor deletes its recovery codes and is in the audit log', async () => {
    const { user, codes } = await addOwner();
    assert.deepEqual(
      [await factors().turnOff(user, audit), await factors().turnOff(user, audit)],
      [true, false],
    );
    assert.equal(await factors().has(user.id), false);
    assert.equal(await factors().find(user.id), undefined);
    const again = { secret: SECRET, step: 1, codeHashes: ['one'] };
    await factors().turnOn(user, again, audit);
    assert.equal(await factors().useRecoveryCode(user, hashRecoveryCode(codes[0] ?? ''), audit), false);
    assert.deepEqual(
      [await factors().remove(user, audit), await factors().remove(user, audit)],
      [true, false],
    );
    assert.deepEqual(
      (await entriesOf(user)).map((entry) => entry.replace('Web: Ada user.second-factor-', '')),
      ['on', 'off', 'on', 'removed'],
    );
  });

  test('a sealed offer is opened unchanged, and any other text is refused', async () => {
    const { id: userId } = await addUser();
    const offer = { userId, secret: SECRET };
    const sealed = factors().sealOffer(offer);
    assert.ok(!sealed.includes(SECRET));
    assert.deepEqual(factors().openOffer(sealed), offer);
    for (const text of [
      '',
      'v1.',
      sealed.slice(0, -2),
      seal.text.seal('another secret'),
      `offer ${userId} ${SECRET}`,
    ])
      assert.equal(factors().openOffer(text), undefined, text);
  });

  test('a pending login is found with its user until it is ended or expires, and it ends once', async () => {
    const user = await addUser();
    for (const [tokenHash, createdAtMs] of [
      [`old-${user.id}`, NOW_MS - 1],
      [`new-${user.id}`, NOW_MS],
    ] as const)
      await halves().add({ tokenHash, userId: user.id, createdAtMs }, '-');
    assert.deepEqual(await halves().find(`new-${user.id}`), {
      createdAtMs: NOW_MS,
      user: { ...user, passwordHash: '-' },
    });
    await halves().forgetOld(NOW_MS);
    assert.equal(await halves().find(`old-${user.id}`), undefined);
    assert.equal(await atOnce(() => halves().end(`new-${user.id}`)), 1);
    assert.equal(await halves().find(`new-${user.id}`), undefined);
  });

  test('the service deletes pending logins after five minutes', async () => {
    const { id: userId } = await addUser();
    await halves().add({ tokenHash: `kept-${userId}`, userId, createdAtMs: NOW_MS }, '-');
    for (const [minutes, isThere] of [
      [5, true],
      [6, false],
    ] as const) {
      await makeCleanUpTurn(
        {
          vouchers: makeVoucherStore(database(), seal),
          messages: makeMessageQueue(database(), seal),
          webSessions: makeWebSessionStore(database()),
          loginThrottle: makeLoginThrottleStore(database()),
          pendingLogins: halves(),
          oneTimeForms: makeOneTimeFormStore(database()),
          bulkRevocations: makeBulkRevocationStore(database()),
          readTrustedTime: async () => ({ nowMs: NOW_MS + minutes * 60_000, runningMs: 0 }),
        },
        [],
        [],
      )();
      assert.equal((await halves().find(`kept-${userId}`)) !== undefined, isThere, `${minutes} minutes`);
    }
  });

  test('a new password or deactivation ends only that user’s pending logins', async () => {
    const [one, other] = [await addUser(), await addUser()];
    const begin = (user: User, passwordHash = '-') =>
      halves().add({ tokenHash: `half-${user.id}`, userId: user.id, createdAtMs: NOW_MS }, passwordHash);
    const isThere = async (user: User) => (await halves().find(`half-${user.id}`)) !== undefined;
    await begin(one);
    await begin(other);
    await users().setPassword(one.email, { passwordHash: 'new', audit });
    assert.deepEqual([await isThere(one), await isThere(other)], [false, true]);
    await begin(one, 'new');
    await users().change(one.id, { active: false }, audit);
    await users().change(one.id, { active: true }, audit);
    assert.deepEqual([await isThere(one), await isThere(other)], [false, true]);
  });

  test('of many concurrent guesses only a few are checked', async () => {
    const { user } = await addOwner();
    const loginThrottle = makeLoginThrottleStore(database());
    const clock = { nowMs: () => NOW_MS };
    const checkCode = makeCheckCode({
      secondFactors: factors(),
      loginThrottle,
      knownDevices: { readForCode: async () => undefined },
      clock,
    });
    const tried = { code: 'no such code', ip: '192.0.2.1', deviceCookie: undefined };
    const responses = await Promise.all(Array.from({ length: 20 }, () => checkCode(user, tried)));
    const wrong = responses.filter(
      (response) => !response.ok && response.problem.kind === 'wrong-code',
    ).length;
    assert.ok(wrong >= 1 && wrong <= 5, `${wrong} were checked`);
    assert.equal((await loginThrottle.find('account', user.email))?.count, wrong);
  });

  test('of many concurrent attempts with the same count, one is counted and may guess', async () => {
    const loginThrottle = makeLoginThrottleStore(database());
    const take = (seen: number) => loginThrottle.takeAttempt('account', 'ada', { seen, atMs: NOW_MS });
    for (const seen of [0, 1, 2]) assert.equal(await atOnce(() => take(seen)), 1, `after ${seen}`);
    assert.deepEqual(await loginThrottle.find('account', 'ada'), { count: 3, lastAtMs: NOW_MS });
  });
});
