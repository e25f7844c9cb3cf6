// Signs somebody in: slowed down when guessed at, with the same answer and the same work for people who do
// not exist. Called by the web interface.

import type { Clock } from '../clock.ts';
import { fail, ok, type Result } from '../result.ts';
import { type Guessed, waitAfter } from './guess-limit.ts';
import type { PasswordCheck } from './password-check.ts';
import type { User } from './user.ts';
import { makeToken, type WebSessionStore } from './web-session.ts';

export interface SignInTry {
  email: string;
  password: string;
  address: string;
  agent: string;
}

export type SignInProblem =
  | { kind: 'wrong-credentials' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'busy' };

export type SignIn = (wish: SignInTry) => Promise<Result<{ token: string; user: User }, SignInProblem>>;

export interface GuessStore {
  find(guessed: Guessed, subject: string): Promise<{ count: number; lastAtMs: number } | undefined>;
  noteFailure(guessed: Guessed, subject: string, atMs: number): Promise<void>;
  forget(guessed: Guessed, subject: string): Promise<void>;
  forgetOld(beforeMs: number): Promise<void>;
}

interface Needs {
  people: { findByEmail(email: string): Promise<(User & { passwordHash: string }) | undefined> };
  webSessions: Pick<WebSessionStore, 'add'>;
  guesses: GuessStore;
  checkPassword: PasswordCheck;
  noteSignIn: (user: User, address: string, atMs: number) => Promise<void>;
  clock: Clock;
}

const LONGEST_AGENT = 200;

export function makeSignIn(needs: Needs): SignIn {
  const { people, webSessions, guesses, checkPassword, noteSignIn, clock } = needs;

  return async function signIn({ email: typed, password, address, agent }) {
    const email = typed.trim().toLowerCase();
    const subjects = [
      ['account', email],
      ['address', address],
    ] as const;
    for (const [guessed, subject] of subjects) {
      const waitMs = waitAfter(guessed, await guesses.find(guessed, subject), clock.nowMs());
      if (waitMs > 0) return fail({ kind: 'wait', seconds: Math.ceil(waitMs / 1000) });
    }

    const user = await people.findByEmail(email);
    const right = await checkPassword(password, user?.passwordHash);
    if (right === 'busy') return fail({ kind: 'busy' });
    const nowMs = clock.nowMs();
    if (!user || !right) {
      for (const [guessed, subject] of subjects) await guesses.noteFailure(guessed, subject, nowMs);
      return fail({ kind: 'wrong-credentials' });
    }

    await guesses.forget('account', email);
    const { token, tokenHash } = makeToken();
    await webSessions.add({
      tokenHash,
      userId: user.id,
      createdAtMs: nowMs,
      seenAtMs: nowMs,
      address,
      agent: agent.slice(0, LONGEST_AGENT),
    });
    await noteSignIn(user, address, nowMs);
    return ok({ token, user });
  };
}
