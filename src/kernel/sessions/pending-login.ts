// A pending login: the password was correct and the code is still missing. It grants no access, lasts minutes and
// allows a few wrong codes. The browser holds a random token, the store only its hash.

import { hashToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { UserId } from '../ids.ts';
import { type LoginThrottleStore, waitAfter } from '../users/login-throttle.ts';
import type { UserWithHash } from '../users/user.ts';
import type { BeginSession, BegunSession, RecordLogin } from './begin-session.ts';
import type { CheckCode, CodeProblem } from './check-code.ts';

export const PENDING_LOGIN_MS = 5 * 60_000;

export interface PendingLogin {
  tokenHash: string;
  userId: UserId;
  createdAtMs: number;
}

export interface PendingLoginStore {
  /** False if the user was deactivated or no longer has this password hash. Then nothing is stored. */
  add(pending: PendingLogin, passwordHash: string): Promise<boolean>;
  /** Finds a pending login and its user. Undefined if there is none, or if the user was deactivated. */
  find(tokenHash: string): Promise<{ createdAtMs: number; user: UserWithHash } | undefined>;
  /** False if the pending login had already ended. */
  end(tokenHash: string): Promise<boolean>;
  forgetOld(beforeMs: number): Promise<void>;
}

export interface CodeInput {
  token: string;
  code: string;
  ip: string;
  agent: string;
  stays: boolean;
  /** The value of the known-device cookie for this user. */
  readDeviceCookie(userId: UserId): string | undefined;
}

/** `over`: the login took too long, or too many codes were wrong. */
export type PendingLoginProblem = CodeProblem | { kind: 'over' };

export interface FinishLogin {
  isOpen(token: string): Promise<boolean>;
  finish(tried: CodeInput): Promise<Result<BegunSession, PendingLoginProblem>>;
}

interface Deps {
  pendingLogins: Pick<PendingLoginStore, 'find' | 'end'>;
  loginThrottle: LoginThrottleStore;
  checkCode: CheckCode;
  beginSession: BeginSession;
  recordLogin: RecordLogin;
  clock: Clock;
}

export function makeFinishLogin(deps: Deps): FinishLogin {
  const { pendingLogins, loginThrottle, checkCode, beginSession, recordLogin, clock } = deps;

  async function findOpen(tokenHash: string) {
    const pending = await pendingLogins.find(tokenHash);
    return pending && clock.nowMs() - pending.createdAtMs < PENDING_LOGIN_MS ? pending : undefined;
  }

  return {
    isOpen: async (token) => (await findOpen(hashToken(token))) !== undefined,
    async finish({ token, code, ip, agent, stays, readDeviceCookie }) {
      const tokenHash = hashToken(token);
      const pending = await findOpen(tokenHash);
      if (!pending) return fail({ kind: 'over' });
      const checked = await checkCode(pending.user, {
        code,
        ip,
        deviceCookie: readDeviceCookie(pending.user.id),
      });
      if (checked.ok) {
        const session =
          (await pendingLogins.end(tokenHash)) &&
          (await beginSession.afterPassword(pending.user, { ip, agent, stays, ...checked.value }));
        return session ? ok(session) : fail({ kind: 'over' });
      }
      if (checked.problem.kind === 'wrong-code')
        await recordLogin(pending.user, { action: 'user.code-wrong', ip, atMs: clock.nowMs() });
      if (checked.problem.kind === 'wait' || (await mayGoOn(tokenHash))) return checked;
      await pendingLogins.end(tokenHash);
      return fail({ kind: 'over' });
    },
  };

  /** Counts a wrong code. False after too many of them: then the user has to enter the password again. */
  async function mayGoOn(tokenHash: string): Promise<boolean> {
    await loginThrottle.noteFailure('pending-login', tokenHash, clock.nowMs());
    return (
      waitAfter('pending-login', await loginThrottle.find('pending-login', tokenHash), clock.nowMs()) === 0
    );
  }
}
