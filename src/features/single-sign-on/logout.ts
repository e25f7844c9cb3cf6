// Logout: ends the session here, then finds the URL that ends the user's session at the identity provider. Called by
// the login pages.

import type { ExternalSessionStore } from '../../kernel/sessions/external-session.ts';
import type { WebSession } from '../../kernel/sessions/web-session.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { SingleSignOnStore } from './single-sign-on.ts';

export interface LogoutInput {
  session: WebSession;
  /** Ends the session here. */
  endSession(): Promise<void>;
  /** Where the provider sends the browser afterwards. */
  returnTo: string;
}

/**
 * Returns the provider's URL that ends the user's session there. Undefined if the session did not begin at the
 * provider, or if the provider offers no logout or cannot be reached.
 */
export type Logout = (input: LogoutInput) => Promise<string | undefined>;

interface Deps {
  externalSessions: Pick<ExternalSessionStore, 'idTokenOf'>;
  singleSignOn: Pick<SingleSignOnStore, 'read'>;
  identityProvider: Pick<IdentityProvider, 'logoutUrl'>;
}

export function makeLogout({ externalSessions, singleSignOn, identityProvider }: Deps): Logout {
  return async function logout({ session, endSession, returnTo }) {
    const idToken =
      session.external === 'provider' ? await externalSessions.idTokenOf(session.tokenHash) : undefined;
    await endSession();
    const { provider } = await singleSignOn.read();
    if (idToken === undefined || !provider) return undefined;
    return identityProvider.logoutUrl(provider, { idToken, returnTo });
  };
}
