// Signs somebody in: slowed down when guessed at, with the same answer and the same work for people who do
// not exist. With a second factor it is half a sign-in only. Called by the web interface.

import type { Clock } from '../clock.ts';
import { fail, ok, type Result } from '../result.ts';
import type { BeginSession } from './begin-session.ts';
import { type GuessStore, waitAfter } from './guess-limit.ts';
import type { HalfSignInStore } from './half-sign-in.ts';
import { BUSY_RETRY_S, type PasswordCheck } from './password-check.ts';
import type { SecondFactorStore } from './second-factor.ts';
import type { User } from './user.ts';
import { makeToken } from './web-session.ts';

export interface SignInTry {
  email: string;
  password: string;
  address: string;
  agent: string;
}

export type SignInProblem =
  | { kind: 'wrong-credentials' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'busy'; seconds: number };

/** The token of a session, or of half a sign-in. */
export type SignIn = (wish: SignInTry) => Promise<Result<{ token: string; isHalf: boolean }, SignInProblem>>;

interface Needs {
  people: { findByEmail(email: string): Promise<(User & { passwordHash: string }) | undefined> };
  secondFactors: Pick<SecondFactorStore, 'has'>;
  halfSignIns: Pick<HalfSignInStore, 'add'>;
  guesses: GuessStore;
  checkPassword: PasswordCheck;
  beginSession: BeginSession;
  clock: Clock;
}

export function makeSignIn(needs: Needs): SignIn {
  const { people, secondFactors, halfSignIns, guesses, checkPassword, beginSession, clock } = needs;

  return async function signIn({ email: typed, password, address, agent }) {
    const email = typed.trim().toLowerCase();
    const subjects = [
      ['account', email],
      ['address', address],
    ] as const;
    async function findWait(): Promise<SignInProblem | undefined> {
      for (const [guessed, subject] of subjects) {
        const waitMs = waitAfter(guessed, await guesses.find(guessed, subject), clock.nowMs());
        if (waitMs > 0) return { kind: 'wait', seconds: Math.ceil(waitMs / 1000) };
      }
      return undefined;
    }

    const wait = await findWait();
    if (wait) return fail(wait);
    const user = await people.findByEmail(email);
    const right = await checkPassword(password, user?.passwordHash, address);
    if (right === 'busy') return fail({ kind: 'busy', seconds: BUSY_RETRY_S });
    // Many guesses sent at the same time have no more tries than one after the other.
    const waitNow = await findWait();
    if (waitNow) return fail(waitNow);
    const nowMs = clock.nowMs();
    if (!user || !right) {
      for (const [guessed, subject] of subjects) await guesses.noteFailure(guessed, subject, nowMs);
      return fail({ kind: 'wrong-credentials' });
    }

    if (await secondFactors.has(user.id)) {
      // Failures stay: who knows the password must not get free guesses at the code by typing it again.
      const { token, tokenHash } = makeToken();
      await halfSignIns.add({ tokenHash, userId: user.id, createdAtMs: nowMs });
      return ok({ token, isHalf: true });
    }
    await guesses.forget('account', email);
    return ok({ token: await beginSession(user, { address, agent }), isHalf: false });
  };
}
