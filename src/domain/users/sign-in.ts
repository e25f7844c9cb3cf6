// Signs somebody in whose password is right; with a second factor it is half a sign-in only. Called by the web
// interface.

import type { Clock } from '../clock.ts';
import { ok, type Result } from '../result.ts';
import type { BeginSession } from './begin-session.ts';
import type { GuessStore } from './guess-limit.ts';
import type { HalfSignInStore } from './half-sign-in.ts';
import type { SecondFactorStore } from './second-factor.ts';
import type { PasswordProblem, TryPassword } from './try-password.ts';
import { makeToken } from './web-session.ts';

export interface SignInTry {
  email: string;
  password: string;
  address: string;
  agent: string;
}

/** The token of a session, or of half a sign-in. */
export type SignIn = (
  wish: SignInTry,
) => Promise<Result<{ token: string; isHalf: boolean }, PasswordProblem>>;

interface Needs {
  tryPassword: TryPassword;
  secondFactors: Pick<SecondFactorStore, 'has'>;
  halfSignIns: Pick<HalfSignInStore, 'add'>;
  guesses: Pick<GuessStore, 'forget'>;
  beginSession: BeginSession;
  clock: Clock;
}

export function makeSignIn(needs: Needs): SignIn {
  const { tryPassword, secondFactors, halfSignIns, guesses, beginSession, clock } = needs;

  return async function signIn({ email: typed, password, address, agent }) {
    const email = typed.trim().toLowerCase();
    const tried = await tryPassword({ email, password, address });
    if (!tried.ok) return tried;
    const user = tried.value;
    if (await secondFactors.has(user.id)) {
      // Failures stay: who knows the password must not get free guesses at the code by typing it again.
      const { token, tokenHash } = makeToken();
      await halfSignIns.add({ tokenHash, userId: user.id, createdAtMs: clock.nowMs() });
      return ok({ token, isHalf: true });
    }
    await guesses.forget('account', email);
    return ok({ token: await beginSession(user, { address, agent }), isHalf: false });
  };
}
