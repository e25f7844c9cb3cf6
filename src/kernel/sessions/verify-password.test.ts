// Tests what happens around a password check: the renewal of old hashes, and a password that changes meanwhile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asUserId } from '../ids.ts';
import type { User } from '../users/user.ts';
import { makeVerifyPassword } from './verify-password.ts';

const OLD_HASH = 'scrypt$17$salt$hash';
const OTHER_PASSWORD = 'scrypt$15$salt$other$3';
const EMAIL = 'ada@example.org';

function setup(passwordHash: string, duringCheck = () => {}) {
  const user: User = {
    id: asUserId(7),
    email: EMAIL,
    name: 'Ada',
    role: 'operator',
    active: true,
    createdAtMs: 0,
  };
  const stored = { ...user, passwordHash };
  const verifyPassword = makeVerifyPassword({
    users: {
      findByEmail: async () => ({ ...stored }),
      renewHash: async (_id, { from, to }) => {
        if (stored.passwordHash !== from) return false;
        stored.passwordHash = to;
        return true;
      },
    },
    loginThrottle: {
      find: async () => undefined,
      noteFailure: async () => {},
      noteFailedLogin: async () => {},
      takeAttempt: async () => true,
      forget: async () => {},
      forgetOld: async () => {},
    },
    checkPassword: async (input) => {
      duringCheck();
      return input.stored !== OTHER_PASSWORD;
    },
    failedAction: 'user.sign-in-failed',
    clock: { nowMs: () => 1 },
  });
  const verify = () =>
    verifyPassword({ email: EMAIL, password: 'right', ip: '192.0.2.1', deviceOf: () => undefined });
  return { stored, verify };
}

test('a hash of an earlier release is renewed after a successful check', async () => {
  const { stored, verify } = setup(OLD_HASH);
  assert.ok((await verify()).ok);
  assert.match(stored.passwordHash, /^scrypt\$15\$.*\$3$/);
});

test('a current hash stays as it is', async () => {
  const { stored, verify } = setup('scrypt$15$salt$hash$3');
  assert.ok((await verify()).ok);
  assert.equal(stored.passwordHash, 'scrypt$15$salt$hash$3');
});

test('a password that is changed during the check is refused', async () => {
  const desk = setup('scrypt$15$salt$hash$3', () => {
    desk.stored.passwordHash = OTHER_PASSWORD;
  });
  const verified = await desk.verify();
  assert.equal(verified.ok ? 'ok' : verified.problem.kind, 'wrong-credentials');
});

test('of two logins that renew the same hash, both succeed, with the hash that is stored', async () => {
  const { stored, verify } = setup(OLD_HASH);
  for (const verified of await Promise.all([verify(), verify()]))
    assert.equal(verified.ok && verified.value.passwordHash, stored.passwordHash);
});
