// A half sign-in: the password was right, the code is yet to come. It opens nothing, lasts minutes and bears a
// few wrong codes. The browser holds a random token, the store only its hash.

import type { Clock } from '../clock.ts';
import type { UserId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import type { CheckCode, CodeProblem } from '../users/second-factor.ts';
import type { User } from '../users/user.ts';
import type { BeginSession } from './begin-session.ts';
import { type LoginThrottleStore, waitAfter } from './login-throttle.ts';
import { hashToken } from './web-session.ts';

export const HALF_MS = 5 * 60_000;

export interface PendingLogin {
  tokenHash: string;
  userId: UserId;
  createdAtMs: number;
}

export interface PendingLoginStore {
  add(half: PendingLogin): Promise<void>;
  /** With whose it is, unless that one was switched off. */
  find(tokenHash: string): Promise<{ createdAtMs: number; user: User } | undefined>;
  /** False when it was ended before. */
  end(tokenHash: string): Promise<boolean>;
  forgetOld(beforeMs: number): Promise<void>;
}

export interface CodeInput {
  token: string;
  code: string;
  address: string;
  agent: string;
}

/** Over: it took too long, or too many codes were wrong. */
export type PendingLoginProblem = CodeProblem | { kind: 'over' };

export interface FinishSignIn {
  isOpen(token: string): Promise<boolean>;
  /** The session's token. */
  finish(tried: CodeInput): Promise<Result<string, PendingLoginProblem>>;
}

interface Deps {
  pendingLogins: Pick<PendingLoginStore, 'find' | 'end'>;
  loginThrottle: LoginThrottleStore;
  checkCode: CheckCode;
  beginSession: BeginSession;
  clock: Clock;
}

export function makeFinishSignIn(deps: Deps): FinishSignIn {
  const { pendingLogins, loginThrottle, checkCode, beginSession, clock } = deps;

  async function findOpen(tokenHash: string) {
    const half = await pendingLogins.find(tokenHash);
    return half && clock.nowMs() - half.createdAtMs < HALF_MS ? half : undefined;
  }

  return {
    isOpen: async (token) => (await findOpen(hashToken(token))) !== undefined,
    async finish({ token, code, address, agent }) {
      const tokenHash = hashToken(token);
      const half = await findOpen(tokenHash);
      if (!half) return fail({ kind: 'over' });
      const checked = await checkCode(half.user, { code, address });
      if (checked.ok)
        return (await pendingLogins.end(tokenHash))
          ? ok(await beginSession(half.user, { address, agent }))
          : fail({ kind: 'over' });
      if (checked.problem.kind === 'wait' || (await mayGoOn(tokenHash))) return checked;
      await pendingLogins.end(tokenHash);
      return fail({ kind: 'over' });
    },
  };

  /** After too many wrong codes the password is asked for again. */
  async function mayGoOn(tokenHash: string): Promise<boolean> {
    await loginThrottle.noteFailure('half-sign-in', tokenHash, clock.nowMs());
    return (
      waitAfter('half-sign-in', await loginThrottle.find('half-sign-in', tokenHash), clock.nowMs()) === 0
    );
  }
}
