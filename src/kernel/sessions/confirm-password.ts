// Checks the password of a user who is already signed in, before actions that a stolen or unattended session must not
// take. The check is throttled like a login from a known device. A wrong password is audited under the user's own name.

import type { Clock } from '../../platform/time/clock.ts';
import { ok, type Result } from '../../platform/values/result.ts';
import type { LoginThrottleStore } from '../users/login-throttle.ts';
import { NOBODYS_HASH } from '../users/password.ts';
import type { PasswordCheck } from '../users/password-check.ts';
import type { User, UserStore } from '../users/user.ts';
import { makeVerifyPassword, type PasswordProblem } from './verify-password.ts';
import type { WebSession, WebSessionStore } from './web-session.ts';

export type ConfirmPassword = (
  by: { user: User; session: WebSession },
  input: { password: string; ip: string },
) => Promise<Result<undefined, PasswordProblem>>;

interface Deps {
  users: Pick<UserStore, 'findByEmail' | 'renewHash'>;
  webSessions: Pick<WebSessionStore, 'noteAuthenticated'>;
  loginThrottle: LoginThrottleStore;
  checkPassword: PasswordCheck;
  clock: Clock;
}

export function makeConfirmPassword({ webSessions, ...deps }: Deps): ConfirmPassword {
  const verifyPassword = makeVerifyPassword({ ...deps, failedAction: 'user.confirmation-failed' });
  return async function confirmPassword({ user, session }, { password, ip }) {
    const verified = await verifyPassword({
      email: user.email,
      password,
      ip,
      // The session counts as a known device, so that an attack on the account from elsewhere does not make its owner
      // wait. Sessions from a proxy or the provider count as one device, because new ones can be begun without the
      // password.
      deviceOf: () => session.external ?? session.tokenHash,
    });
    if (!verified.ok) return verified;
    await webSessions.noteAuthenticated(session.tokenHash, deps.clock.nowMs());
    return ok(undefined);
  };
}

/** False for users whom only the identity provider authenticates. */
export type HasPassword = (user: User) => Promise<boolean>;

export function makeHasPassword({ users }: { users: Pick<UserStore, 'findByEmail'> }): HasPassword {
  return async ({ email }) => {
    const passwordHash = (await users.findByEmail(email))?.passwordHash;
    return passwordHash !== undefined && passwordHash !== NOBODYS_HASH;
  };
}
