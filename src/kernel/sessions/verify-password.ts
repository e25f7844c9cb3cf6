// Verifies a password. Failures are throttled by account and network. For an unknown user, the work and the response
// are the same as for a wrong password. A known device has a throttle of its own, so that attacks do not lock it out.

import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import {
  accountOnNetwork,
  accountOnPrefix,
  type FailedLogin,
  isUnderAttack,
  type LoginThrottleStore,
  throttledAccount,
  waitAfter,
} from '../users/login-throttle.ts';
import { hashPassword, isOutdated } from '../users/password.ts';
import { BUSY_RETRY_S, type PasswordCheck } from '../users/password-check.ts';
import type { UserStore, UserWithHash } from '../users/user.ts';
import type { KnownUser } from './known-device.ts';

export type PasswordProblem =
  | { kind: 'wrong-credentials' }
  | { kind: 'wait'; seconds: number }
  /** The account is under attack: only known devices may log in. */
  | { kind: 'unknown-device' }
  | { kind: 'busy'; seconds: number };

export interface PasswordInput {
  email: string;
  password: string;
  ip: string;
  /** The id of the device, if the user has logged in with it before. */
  deviceOf(user: KnownUser): string | undefined;
}

export type VerifyPassword = (input: PasswordInput) => Promise<Result<UserWithHash, PasswordProblem>>;

interface Deps {
  users: Pick<UserStore, 'findByEmail' | 'renewHash'>;
  loginThrottle: LoginThrottleStore;
  checkPassword: PasswordCheck;
  /** The action of the audit entry for a failure. */
  failedAction: FailedLogin['action'];
  clock: Clock;
}

export function makeVerifyPassword(deps: Deps): VerifyPassword {
  const { users, loginThrottle, checkPassword, failedAction, clock } = deps;

  return async function verifyPassword(input) {
    const { password, ip, deviceOf } = input;
    const user = await users.findByEmail(input.email);
    const email = throttledAccount(input.email);
    const device = user && deviceOf(user);
    const prefix = accountOnPrefix(email, ip);
    const subjects = device
      ? ([['device', `${email} ${device}`]] as const)
      : ([
          ['account-network', accountOnNetwork(email, ip)],
          ...(prefix === undefined ? [] : [['account-prefix', prefix] as const]),
          ['ip', ip],
        ] as const);

    async function findRefusal(): Promise<PasswordProblem | undefined> {
      const nowMs = clock.nowMs();
      for (const [throttled, subject] of subjects) {
        const waitMs = waitAfter(throttled, await loginThrottle.find(throttled, subject), nowMs);
        if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1000) };
      }
      if (!device && isUnderAttack(await loginThrottle.find('account-total', email), nowMs))
        return { kind: 'unknown-device' };
      return undefined;
    }

    const refusal = await findRefusal();
    if (refusal) return fail(refusal);
    const stored = user?.passwordHash;
    const right = await checkPassword({ password, stored, ip, device });
    if (right === 'busy') return fail({ kind: 'busy', seconds: BUSY_RETRY_S });
    // Check the throttle again: attempts sent in parallel must not get more chances than sequential attempts.
    const refusalNow = await findRefusal();
    if (refusalNow) return fail(refusalNow);
    if (user && right) {
      const current = await findCurrent(user, password);
      // Verify again if the hash was replaced in the meantime, by a change of the password or by another login.
      if (!current) return verifyPassword(input);
      if (device) await loginThrottle.forget('device', `${email} ${device}`);
      return ok(current);
    }
    await loginThrottle.noteFailedLogin({
      subjects,
      totalOf: device ? undefined : email,
      user,
      action: failedAction,
      ip,
      atMs: clock.nowMs(),
    });
    return fail({ kind: 'wrong-credentials' });
  };

  /**
   * The user, with a new hash if the old one is outdated. Undefined if the stored hash was replaced in the meantime.
   */
  async function findCurrent(user: UserWithHash, password: string): Promise<UserWithHash | undefined> {
    const from = user.passwordHash;
    if ((await users.findByEmail(user.email))?.passwordHash !== from) return undefined;
    if (!isOutdated(from)) return user;
    const to = await hashPassword(password);
    return (await users.renewHash(user.id, { from, to })) ? { ...user, passwordHash: to } : undefined;
  }
}
