// Logins of a simulated controller: who is in, for how long, and how many tries a minute allows. Knows
// tokens and times; which cookie carries a token is the routes' business.

import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Flavour, Switches } from './options.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How long consoles keep a login, plain and remembered. The classic server counts from the last call. */
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
  /** Counts a try; false when the minute has seen too many. */
  allowLogin(): boolean;
  open(isRemembered: boolean): Session;
  find(token: string | undefined): Session | undefined;
  close(session: Session): void;
  closeAll(): void;
  /** A new CSRF token in a new login token; the old login token still opens the session. */
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
  let triesMs: number[] = [];

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
      triesMs = triesMs.filter((ms) => ms > nowMs - MINUTE_MS);
      triesMs.push(nowMs);
      const most = flavour === 'unifi-os' ? switches.loginsPerMinute : null;
      return most === null || triesMs.length <= most;
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

/** Three parts of base64url without padding: clients cut the cookie at its first `=`. */
function signJwt(claims: object, key: Buffer): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}
