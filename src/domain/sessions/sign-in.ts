// Logs in a user whose password is correct; a user with a second factor gets a pending login instead of a session.
// Called by the web interface.

import type { Clock } from '../clock.ts';
import { ok, type Result } from '../result.ts';
import type { SecondFactorStore } from '../users/second-factor.ts';
import type { BeginSession } from './begin-session.ts';
import type { LoginThrottleStore } from './login-throttle.ts';
import type { PendingLoginStore } from './pending-login.ts';
import type { PasswordProblem, VerifyPassword } from './verify-password.ts';
import { makeToken } from './web-session.ts';

export interface SignInInput {
  email: string;
  password: string;
  ip: string;
  agent: string;
}

/** Returns the token of a session or of a pending login. */
export type SignIn = (
  input: SignInInput,
) => Promise<Result<{ token: string; isPending: boolean }, PasswordProblem>>;

interface Deps {
  verifyPassword: VerifyPassword;
  secondFactors: Pick<SecondFactorStore, 'has'>;
  pendingLogins: Pick<PendingLoginStore, 'add'>;
  loginThrottle: Pick<LoginThrottleStore, 'forget'>;
  beginSession: BeginSession;
  clock: Clock;
}

export function makeSignIn(deps: Deps): SignIn {
  const { verifyPassword, secondFactors, pendingLogins, loginThrottle, beginSession, clock } = deps;

  return async function signIn({ email: typed, password, ip, agent }) {
    const email = typed.trim().toLowerCase();
    const tried = await verifyPassword({ email, password, ip });
    if (!tried.ok) return tried;
    const user = tried.value;
    if (await secondFactors.has(user.id)) {
      // Keep the failures: entering the known password again must not reset the throttle for the code.
      const { token, tokenHash } = makeToken();
      await pendingLogins.add({ tokenHash, userId: user.id, createdAtMs: clock.nowMs() });
      return ok({ token, isPending: true });
    }
    await loginThrottle.forget('account', email);
    return ok({ token: await beginSession(user, { ip, agent }), isPending: false });
  };
}
