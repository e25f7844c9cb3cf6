// Logs in a user whom a trusted reverse proxy has authenticated. The user must exist. No second factor is asked for,
// because the proxy is responsible for it. Called by the login page. A client that keeps no cookies logs in with every
// request, and gets the session that it already has.

import { hashToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { UserStore } from '../users/user.ts';
import type { BeginSession, BegunSession } from './begin-session.ts';
import { IDLE_MS, isSessionOver, type WebSessionStore } from './web-session.ts';

export type ProxyProblem = { kind: 'proxy-user-unknown' | 'proxy-header-wrong' };

export type ProxyLogin = (
  email: string,
  from: { ip: string; agent: string },
) => Promise<Result<{ session: BegunSession; isNew: boolean }, ProxyProblem>>;

interface Deps {
  users: Pick<UserStore, 'findByEmail'>;
  webSessions: Pick<WebSessionStore, 'find'>;
  beginSession: BeginSession;
  clock: Clock;
}

const REUSED_MS = IDLE_MS;
const MAX_RECENT = 1_000;

export function makeProxyLogin({ users, webSessions, beginSession, clock }: Deps): ProxyLogin {
  /**
   * Recent sessions by user, IP address and browser, oldest first. Kept here because the store has only hashes of
   * tokens.
   */
  const recent = new Map<string, BegunSession>();

  async function findRecent(key: string): Promise<BegunSession | undefined> {
    const begun = recent.get(key);
    const found = begun && (await webSessions.find(hashToken(begun.token)));
    const nowMs = clock.nowMs();
    const isRecent =
      found && nowMs - found.session.createdAtMs < REUSED_MS && !isSessionOver(found.session, nowMs);
    return isRecent ? begun : undefined;
  }

  return async function proxyLogin(email, from) {
    const user = await users.findByEmail(email);
    if (!user) return fail({ kind: 'proxy-user-unknown' });
    const key = JSON.stringify([user.id, from.ip, from.agent]);
    const known = await findRecent(key);
    if (known) return ok({ session: known, isNew: false });
    const session = await beginSession.external(user, { ...from, authenticatedAtMs: 0 });
    recent.delete(key);
    recent.set(key, session);
    for (const oldest of recent.keys()) {
      if (recent.size <= MAX_RECENT) break;
      recent.delete(oldest);
    }
    return ok({ session, isNew: true });
  };
}
