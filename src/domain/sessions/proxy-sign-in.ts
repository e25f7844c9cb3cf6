// Logs in a user whom a trusted reverse proxy has authenticated. The user must exist; no second factor is asked for,
// because the proxy is responsible for it. Called by the login page.

import { fail, ok, type Result } from '../result.ts';
import type { UserStore } from '../users/user.ts';
import type { BeginSession, BegunSession } from './begin-session.ts';

export type ProxyProblem = { kind: 'proxy-user-unknown' | 'proxy-header-wrong' };

export type ProxySignIn = (
  email: string,
  from: { ip: string; agent: string },
) => Promise<Result<BegunSession, ProxyProblem>>;

interface Deps {
  users: Pick<UserStore, 'findByEmail'>;
  beginSession: BeginSession;
}

export function makeProxySignIn({ users, beginSession }: Deps): ProxySignIn {
  return async function proxySignIn(email, from) {
    const user = await users.findByEmail(email);
    if (!user) return fail({ kind: 'proxy-user-unknown' });
    return ok(await beginSession.external(user, { ...from, authenticatedAtMs: 0 }));
  };
}
