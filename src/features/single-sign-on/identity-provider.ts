// The OpenID Connect provider, as the domain sees it: where it is, what it says about a user, and how it fails.
// `oidc/` implements it.

import type { SessionTokens } from '../../kernel/sessions/external-session.ts';
import type { Result } from '../../platform/values/result.ts';

export interface ProviderCredentials {
  /** The issuer identifier, exactly as the provider writes it. */
  issuer: string;
  clientId: string;
  /** Null for a public client, which PKCE alone protects. */
  clientSecret: string | null;
  /** Separated by spaces. */
  scopes: string;
}

export const DEFAULT_SCOPES = 'openid profile email';

/** What the provider says about a user: the ID token and the user info together. */
export type Claims = Record<string, unknown>;

export interface ProviderIdentity {
  issuer: string;
  /** Never changes and is never reused for another user of the issuer. An e-mail address can change or be reused. */
  subject: string;
  claims: Claims;
  idToken: string;
  /** For asking the provider about the user again later. Undefined if the provider issues no refresh token. */
  refreshToken?: string;
  /** When the user entered the password at the provider; undefined if the provider does not say when. */
  authenticatedAtMs?: number;
}

/** The secrets of one login, kept by the browser until it returns from the provider. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  verifier: string;
}

/** `detail` is for the log and for administrators. */
export interface ProviderProblem {
  kind: 'provider-unreachable' | 'provider-denied' | 'token-refused';
  detail: string;
}

/** What the provider says about a user when a running session is checked. */
export type RefreshedIdentity = Pick<ProviderIdentity, 'issuer' | 'subject' | 'claims'>;

/**
 * `grant-over`: the provider no longer accepts the refresh token. `other-subject`: the provider answered for another
 * user. `provider-changed`: the session began at another provider than the configured one. `token-refused`: the
 * response failed a check, or the provider refused the client.
 */
export interface RefreshProblem {
  kind: 'grant-over' | 'other-subject' | 'provider-changed' | 'provider-unreachable' | 'token-refused';
  detail: string;
}

/** `client-refused`: the provider does not accept the client ID or the client secret. */
export interface ProviderCheckProblem {
  kind: 'provider-unreachable' | 'client-refused';
  detail: string;
}

export interface IdentityProvider {
  /** Returns the provider's URL to which the browser is sent, and the secrets of this login. */
  begin(
    credentials: ProviderCredentials,
    /** If `isAgain` is true, the provider asks for the password even if the user is signed in there. */
    login: { redirectUri: string; isAgain: boolean },
  ): Promise<Result<{ url: string; secrets: LoginSecrets }, ProviderProblem>>;
  /** Checks everything that came back: state, code, nonce, signature, issuer, audience and times. */
  finish(
    credentials: ProviderCredentials,
    callback: { url: string; secrets: LoginSecrets },
  ): Promise<Result<ProviderIdentity, ProviderProblem>>;
  /**
   * Asks the provider again about the user of a session, with the same checks as `finish`. The next call needs the
   * returned refresh token, even if `identity` is a problem: most providers accept a refresh token only once.
   */
  refresh(
    credentials: ProviderCredentials,
    tokens: SessionTokens,
  ): Promise<{ refreshToken: string; identity: Result<RefreshedIdentity, RefreshProblem> }>;
  /** Undefined if the provider offers no logout or cannot be reached. */
  logoutUrl(
    credentials: ProviderCredentials,
    logout: { idToken: string; returnTo: string },
  ): Promise<string | undefined>;
  /**
   * Checks, without a user, that the provider describes itself as the issuer, and that it accepts the client: with a
   * made-up code, it refuses the code if the client is right, and otherwise the client (RFC 6749, section 5.2). Any
   * other response proves nothing and is no problem.
   */
  check(credentials: ProviderCredentials): Promise<Result<undefined, ProviderCheckProblem>>;
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Accepts https URLs. For trials, also accepts http URLs of a provider on this machine. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || text.includes('/.well-known/')) return false;
  return url.protocol === 'https:' || isLoopbackUrl(url);
}

export function isLoopbackUrl({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname);
}
