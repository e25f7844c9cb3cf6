// The OpenID Connect provider, as the domain sees it: where it is, what it says about a user, and how it fails.
// `oidc/` implements it.

import type { Result } from '../result.ts';

export interface ProviderAccess {
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
  /** When the user entered the password at the provider; undefined if the provider never says it. */
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

export interface IdentityProvider {
  /** The URL of the provider that the browser is sent to. */
  begin(
    access: ProviderAccess,
    /** `isAgain`: the provider asks for the password even if the user is signed in there. */
    login: { redirectUri: string; isAgain: boolean },
  ): Promise<Result<{ url: string; secrets: LoginSecrets }, ProviderProblem>>;
  /** Checks everything that came back: state, code, nonce, signature, issuer, audience and times. */
  finish(
    access: ProviderAccess,
    callback: { url: string; secrets: LoginSecrets },
  ): Promise<Result<ProviderIdentity, ProviderProblem>>;
  /** Undefined if the provider offers no logout or cannot be reached. */
  logoutUrl(
    access: ProviderAccess,
    logout: { idToken: string; returnTo: string },
  ): Promise<string | undefined>;
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Without https, only a provider on this machine, for trying things out. */
export function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || text.includes('/.well-known/')) return false;
  return url.protocol === 'https:' || isLoopback(url);
}

export function isLoopback({ protocol, hostname }: { protocol: string; hostname: string }): boolean {
  return protocol === 'http:' && LOOPBACK.test(hostname);
}
