// Logout: ends the session here, then finds the URL that ends the user's session at the identity provider. Called by
// the login pages.

import type { RecordLogin } from '../../kernel/sessions/begin-session.ts';
import type { ExternalSessionStore } from '../../kernel/sessions/external-session.ts';
import type { WebSession, WebSessionStore } from '../../kernel/sessions/web-session.ts';
import type { User } from '../../kernel/users/user.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { SingleSignOnStore } from './single-sign-on.ts';

export interface LogoutInput {
  user: User;
  session: WebSession;
  ip: string;
  atMs: number;
  /** Where the provider sends the browser afterwards. */
  returnTo: string;
}

/**
 * Returns the provider's URL that ends the user's session there. Undefined if the session did not begin at the
 * provider, or if the provider offers no logout or cannot be reached.
 */
export type Logout = (input: LogoutInput) => Promise<string | undefined>;

interface Deps {
  webSessions: Pick<WebSessionStore, 'end'>;
  recordLogin: RecordLogin;
  externalSessions: Pick<ExternalSessionStore, 'idTokenOf'>;
  singleSignOn: Pick<SingleSignOnStore, 'read'>;
  identityProvider: Pick<IdentityProvider, 'logoutUrl'>;
}

export function makeLogout(deps: Deps): Logout {
  const { webSessions, recordLogin, externalSessions, singleSignOn, identityProvider } = deps;
  return async function logout({ user, session, ip, atMs, returnTo }) {
    const idToken =
      session.external === 'provider' ? await externalSessions.idTokenOf(session.tokenHash) : undefined;
    await webSessions.end(user.id, session.tokenHash);
    await recordLogin(user, { action: 'user.signed-out', ip, atMs });
    const { provider } = await singleSignOn.read();
    if (idToken === undefined || !provider) return undefined;
    return identityProvider.logoutUrl(provider, { idToken, returnTo });
  };
}
