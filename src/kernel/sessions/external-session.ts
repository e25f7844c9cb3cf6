// Sessions that began at an identity provider or at a trusted proxy.

import type { SessionCheck, WebSession } from './web-session.ts';

/** The tokens of an identity provider. */
export interface SessionTokens {
  idToken: string;
  refreshToken: string;
}

/** Sessions of users whom the identity provider or a trusted proxy has authenticated. They need no second factor. */
export interface ExternalSessionStore {
  /**
   * Stores the session and its tokens. Only a session that began at the provider has tokens; the ID token is needed for
   * the logout at the provider.
   */
  add(session: WebSession, tokens?: { idToken: string; refreshToken?: string | undefined }): Promise<void>;
  /** Undefined if the session has no ID token, or if the sealed token cannot be opened. */
  idTokenOf(tokenHash: string): Promise<string | undefined>;
  /**
   * Postpones the next check to `nextAtMs` and returns the tokens, or null if they cannot be opened. Undefined if no
   * check is due. If several requests or instances call this at once, one gets the tokens and the others get undefined.
   */
  claimCheck(
    tokenHash: string,
    times: { nowMs: number; nextAtMs: number },
  ): Promise<SessionTokens | null | undefined>;
  replaceRefreshToken(tokenHash: string, refreshToken: string): Promise<void>;
  noteChecked(tokenHash: string, check: SessionCheck): Promise<void>;
  /**
   * Gives any session a new token. It belongs to this store because the provider's tokens are sealed for one token hash
   * and must be sealed again. False if there is no such session.
   */
  replaceToken(fromHash: string, toHash: string): Promise<boolean>;
}
