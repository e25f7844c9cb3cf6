// Logs in a user whose password is correct; a user with a second factor gets a pending login instead of a session.
// Called by the web interface, also for a user who has just chosen a password.

import { makeToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { UserId } from '../ids.ts';
import { MAX_EMAIL_LENGTH } from '../users/email-address.ts';
import type { SecondFactorStore } from '../users/second-factor.ts';
import type { UserWithHash } from '../users/user.ts';
import type { BeginSession, BegunSession } from './begin-session.ts';
import type { KnownDevices, KnownUser } from './known-device.ts';
import type { PendingLoginStore } from './pending-login.ts';
import type { PasswordProblem, VerifyPassword } from './verify-password.ts';

export interface LoginInput {
  email: string;
  password: string;
  ip: string;
  agent: string;
  /** Whether the user wants to stay signed in on this device. */
  stays: boolean;
  /** The value of the known-device cookie for this user. */
  readDeviceCookie(userId: UserId): string | undefined;
}

export type LoginResult = { session: BegunSession } | { pendingToken: string };

export type Login = (input: LoginInput) => Promise<Result<LoginResult, PasswordProblem>>;

/**
 * The steps after the password. Undefined if the password was changed or the user was deactivated after the password
 * was checked or chosen.
 */
export type LoginAfterPassword = (
  user: UserWithHash,
  from: Pick<LoginInput, 'ip' | 'agent' | 'stays'>,
) => Promise<LoginResult | undefined>;

interface AfterPasswordDeps {
  secondFactors: Pick<SecondFactorStore, 'has'>;
  pendingLogins: Pick<PendingLoginStore, 'add'>;
  beginSession: BeginSession;
  clock: Clock;
}

export function makeLoginAfterPassword(deps: AfterPasswordDeps): LoginAfterPassword {
  const { secondFactors, pendingLogins, beginSession, clock } = deps;

  return async function loginAfterPassword(user, from) {
    if (await secondFactors.has(user.id)) {
      // Do not forget failed attempts yet: entering the known password again must not reset the throttle for the code.
      const { token, tokenHash } = makeToken();
      const pending = { tokenHash, userId: user.id, createdAtMs: clock.nowMs() };
      return (await pendingLogins.add(pending, user.passwordHash)) ? { pendingToken: token } : undefined;
    }
    const session = await beginSession.afterPassword(user, from);
    return session && { session };
  };
}

interface Deps {
  verifyPassword: VerifyPassword;
  knownDevices: Pick<KnownDevices, 'read'>;
  loginAfterPassword: LoginAfterPassword;
}

export function makeLogin({ verifyPassword, knownDevices, loginAfterPassword }: Deps): Login {
  return async function login({ email: typed, password, ip, agent, stays, readDeviceCookie }) {
    // The length is limited, because failed logins are stored under this text. No e-mail address is longer.
    const email = typed.trim().slice(0, MAX_EMAIL_LENGTH).toWellFormed();
    const deviceOf = (user: KnownUser) => knownDevices.read(readDeviceCookie(user.id), user);
    const tried = await verifyPassword({ email, password, ip, deviceOf });
    if (!tried.ok) return tried;
    const result = await loginAfterPassword(tried.value, { ip, agent, stays });
    return result ? ok(result) : fail({ kind: 'wrong-credentials' });
  };
}
