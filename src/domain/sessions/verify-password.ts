// Verifies a password. Failed logins are throttled by account and by IP address, and a login for an unknown user takes the
// same work and gets the same response.

import type { Clock } from '../clock.ts';
import { fail, ok, type Result } from '../result.ts';
import { BUSY_RETRY_S, type PasswordCheck } from '../users/password-check.ts';
import type { User } from '../users/user.ts';
import { type LoginThrottleStore, waitAfter } from './login-throttle.ts';

export type PasswordProblem =
  | { kind: 'wrong-credentials' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'busy'; seconds: number };

export type VerifyPassword = (tried: {
  email: string;
  password: string;
  ip: string;
}) => Promise<Result<User, PasswordProblem>>;

interface Deps {
  users: { findByEmail(email: string): Promise<(User & { passwordHash: string }) | undefined> };
  loginThrottle: LoginThrottleStore;
  checkPassword: PasswordCheck;
  clock: Clock;
}

export function makeVerifyPassword({ users, loginThrottle, checkPassword, clock }: Deps): VerifyPassword {
  return async function verifyPassword({ email, password, ip }) {
    const subjects = [
      ['account', email],
      ['ip', ip],
    ] as const;
    async function findWait(): Promise<PasswordProblem | undefined> {
      for (const [throttled, subject] of subjects) {
        const waitMs = waitAfter(throttled, await loginThrottle.find(throttled, subject), clock.nowMs());
        if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1000) };
      }
      return undefined;
    }

    const wait = await findWait();
    if (wait) return fail(wait);
    const user = await users.findByEmail(email);
    const right = await checkPassword(password, user?.passwordHash, ip);
    if (right === 'busy') return fail({ kind: 'busy', seconds: BUSY_RETRY_S });
    // Check again: attempts sent in parallel must not get more chances than sequential attempts.
    const waitNow = await findWait();
    if (waitNow) return fail(waitNow);
    if (user && right) return ok(user);
    for (const [throttled, subject] of subjects)
      await loginThrottle.noteFailure(throttled, subject, clock.nowMs());
    return fail({ kind: 'wrong-credentials' });
  };
}
