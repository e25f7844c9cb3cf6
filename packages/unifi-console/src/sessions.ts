// Sessions of a simulated controller: which tokens are valid, for how long, and how many logins are allowed per minute.
// Handles tokens and times only; permission-check.ts and login.ts define the cookies that carry a token.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Flavour, Switches } from './options.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * How long a session lasts on real consoles, without and with "remember me". On the classic server, this time starts
 * again with every call.
 */
const HABITS = {
  'unifi-os': { plainMs: 120 * MINUTE_MS, rememberedMs: 30 * DAY_MS, isIdleTime: false },
  'unifi-classic': { plainMs: 15 * MINUTE_MS, rememberedMs: 7 * DAY_MS, isIdleTime: true },
};

export interface Session {
  token: string;
  csrfToken: string;
  expiresAtMs: number;
  ttlMs: number;
  isIdleTime: boolean;
  isRemembered: boolean;
}

export interface Sessions {
  /** Counts a login attempt. Returns false if there were too many attempts in the last minute. */
  allowLogin(): boolean;
  open(isRemembered: boolean): Session;
  find(token: string | undefined): Session | undefined;
  close(session: Session): void;
  closeAll(): void;
  /** Issues a new CSRF token in a new session token; the old session token stays valid. */
  renewCsrf(session: Session): void;
}

interface Deps {
  flavour: Flavour;
  username: string;
  switches: Switches;
  clock: () => number;
}

export function makeSessions({ flavour, username, switches, clock }: Deps): Sessions {
  const byToken = new Map<string, Session>();
  const signingKey = randomBytes(32);
  const userId = randomUUID();
  let attemptsMs: number[] = [];

  function issueToken(session: Omit<Session, 'token'>): string {
    if (flavour === 'unifi-classic') return randomBytes(24).toString('base64url');
    const claims = {
      userId,
      passwordRevision: 1,
      isRemembered: session.isRemembered,
      csrfToken: session.csrfToken,
      username,
      iat: Math.floor(clock() / SECOND_MS),
      exp: Math.floor(session.expiresAtMs / SECOND_MS),
      jti: randomUUID(),
    };
    return signJwt(claims, signingKey);
  }

  return {
    allowLogin() {
      const nowMs = clock();
      attemptsMs = attemptsMs.filter((ms) => ms > nowMs - MINUTE_MS);
      attemptsMs.push(nowMs);
      const most = flavour === 'unifi-os' ? switches.loginsPerMinute : null;
      return most === null || attemptsMs.length <= most;
    },
    open(isRemembered) {
      const habit = HABITS[flavour];
      const ttlMs = switches.sessionTtlMs ?? (isRemembered ? habit.rememberedMs : habit.plainMs);
      const isIdleTime = habit.isIdleTime && switches.sessionTtlMs === null;
      const facts = {
        csrfToken: randomUUID(),
        expiresAtMs: clock() + ttlMs,
        ttlMs,
        isIdleTime,
        isRemembered,
      };
      const session = { ...facts, token: issueToken(facts) };
      byToken.set(session.token, session);
      return session;
    },
    find(token) {
      const session = byToken.get(token ?? '');
      if (!session || session.expiresAtMs <= clock()) return undefined;
      if (session.isIdleTime) session.expiresAtMs = clock() + session.ttlMs;
      return session;
    },
    close(session) {
      for (const [token, each] of byToken) if (each === session) byToken.delete(token);
    },
    closeAll: () => byToken.clear(),
    renewCsrf(session) {
      session.csrfToken = randomUUID();
      session.token = issueToken(session);
      byToken.set(session.token, session);
    },
  };
}

/** The token has no base64 padding, because some clients cut the cookie value at its first `=`. */
function signJwt(claims: object, key: Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}
