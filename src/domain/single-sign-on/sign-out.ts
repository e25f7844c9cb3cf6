// Logout: ends the session here, then finds out how to end the one at the identity provider. Called by the login pages.

import type { NoteSignIn } from '../sessions/begin-session.ts';
import type { WebSession, WebSessionStore } from '../sessions/web-session.ts';
import type { User } from '../users/user.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { ExternalSessionStore, SingleSignOnStore } from './single-sign-on.ts';

export interface SignOutInput {
  user: User;
  session: WebSession;
  ip: string;
  atMs: number;
  /** Where the provider sends the browser afterwards. */
  returnTo: string;
}

/**
 * Returns the URL of the provider that ends the user's session there. Undefined if the user did not come from the
 * provider, or the provider offers no logout.
 */
export type SignOut = (input: SignOutInput) => Promise<string | undefined>;

interface Deps {
  webSessions: Pick<WebSessionStore, 'end'>;
  noteSignIn: NoteSignIn;
  externalSessions: Pick<ExternalSessionStore, 'idTokenOf'>;
  singleSignOn: Pick<SingleSignOnStore, 'read'>;
  identityProvider: Pick<IdentityProvider, 'logoutUrl'>;
}

export function makeSignOut(deps: Deps): SignOut {
  const { webSessions, noteSignIn, externalSessions, singleSignOn, identityProvider } = deps;
  return async function signOut({ user, session, ip, atMs, returnTo }) {
    const idToken =
      session.external === 'provider' ? await externalSessions.idTokenOf(session.tokenHash) : undefined;
    await webSessions.end(user.id, session.tokenHash);
    await noteSignIn(user, { action: 'user.signed-out', ip, atMs });
    const { provider } = await singleSignOn.read();
    if (idToken === undefined || !provider) return undefined;
    return identityProvider.logoutUrl(provider, { idToken, returnTo });
  };
}
