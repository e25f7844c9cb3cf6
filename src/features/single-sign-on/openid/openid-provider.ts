// The OpenID Connect provider behind openid-client: code flow with PKCE, state and nonce. The signature of every ID
// token is checked, although it comes over TLS from the provider. Nothing is called before the first
// login or check.

import type { ClientAuth, Configuration, CustomFetch } from 'openid-client';
import * as v from 'valibot';
import { toOneLine } from '../../../platform/text/one-line.ts';
import { type Clock, systemClock } from '../../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import {
  type Claims,
  type IdentityProvider,
  isLoopbackUrl,
  type ProviderCredentials,
  type ProviderProblem,
  type RefreshProblem,
} from '../identity-provider.ts';
import { boundedFetch, ResponseTooLarge } from './bounded-fetch.ts';

const TIMEOUT_S = 5;
/** Keycloak says `unauthorized_client` if the secret is wrong. */
const CLIENT_REFUSED = ['invalid_client', 'unauthorized_client'];
/** The redirect URI of a made-up code. */
const NO_CALLBACK = 'https://gastpass.invalid/login/oidc/callback';
const OAUTH_ERROR = v.pipe(v.string(), v.parseJson(), v.object({ error: v.string() }));
/** The provider's description is read again after this time. Its keys are read again whenever a key is unknown. */
const DESCRIPTION_KEPT_MS = 10 * 60_000;

/** Loaded with the first login. */
const load = () => import('openid-client');
type Library = Awaited<ReturnType<typeof load>>;

/** How far a provider's clock may be ahead. openid-client checks only that a token has not expired. */
const MAX_AHEAD_S = 120;

interface Deps {
  clock: Clock;
  /** The clock for the times in tokens. The default is the system clock, with which openid-client checks the expiry. */
  tokenClock?: Clock;
  fetch?: CustomFetch;
}

export function makeIdentityProvider({
  clock,
  tokenClock = systemClock,
  fetch = boundedFetch,
}: Deps): IdentityProvider {
  let known: { credentials: string; configuration: Promise<Configuration>; readAtMs: number } | undefined;

  /**
   * Rejects if the provider cannot be reached or does not describe itself as this issuer. Simultaneous logins share one
   * call, so that a flood of logins does not become a flood of calls.
   */
  function configure(library: Library, credentials: ProviderCredentials): Promise<Configuration> {
    const key = JSON.stringify(credentials);
    const nowMs = clock.nowMs();
    if (known?.credentials === key && nowMs - known.readAtMs < DESCRIPTION_KEPT_MS)
      return known.configuration;
    const reading = {
      credentials: key,
      configuration: discover(library, credentials, fetch),
      readAtMs: nowMs,
    };
    known = reading;
    reading.configuration.catch(() => {
      if (known === reading) known = undefined;
    });
    return reading.configuration;
  }

  return {
    async begin(credentials, { redirectUri, isAgain }) {
      const library = await load();
      try {
        const configuration = await configure(library, credentials);
        const [state, nonce] = [library.randomState(), library.randomNonce()];
        const verifier = library.randomPKCECodeVerifier();
        const url = library.buildAuthorizationUrl(configuration, {
          redirect_uri: redirectUri,
          scope: credentials.scopes,
          ...(isAgain && { prompt: 'login', max_age: '0' }),
          state,
          nonce,
          code_challenge: await library.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return ok({ url: url.href, secrets: { state, nonce, verifier } });
      } catch (error) {
        return fail({ kind: 'provider-unreachable', detail: detailOf(error) });
      }
    },

    async finish(credentials, { url, secrets }) {
      const library = await load();
      const configured = await attempt(library, () => configure(library, credentials));
      if (!configured.ok) return fail({ ...configured.problem, kind: 'provider-unreachable' });
      const configuration = configured.value;
      return attempt(library, async () => {
        const tokens = await library.authorizationCodeGrant(configuration, new URL(url), {
          expectedState: secrets.state,
          expectedNonce: secrets.nonce,
          pkceCodeVerifier: secrets.verifier,
          idTokenExpected: true,
        });
        const claims = tokens.claims();
        if (!claims || !tokens.id_token) throw new Error('the provider sent no ID token');
        refuseFuture(claims, tokenClock.nowMs() / 1000);
        const { iss: issuer, sub: subject } = claims;
        const more = await readUserInfo(library, configuration, tokens.access_token);
        refuseOthers(subject, [more]);
        return {
          issuer,
          subject,
          claims: mergeClaims(more ?? {}, claims),
          idToken: tokens.id_token,
          ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
          ...authTimeMs(claims.auth_time, configuration),
        };
      });
    },

    async refresh(credentials, { idToken, refreshToken }) {
      let current = refreshToken;
      const library = await load();
      try {
        const { iss: issuer, sub: subject } = decodeJwt(idToken);
        if (!isIssuedBy(issuer, credentials)) throw new ProviderChanged(`the session began at ${issuer}`);
        const configuration = await configure(library, credentials);
        const tokens = await library.refreshTokenGrant(configuration, refreshToken);
        current = tokens.refresh_token ?? refreshToken;
        const claims = tokens.claims();
        if (claims) refuseFuture(claims, tokenClock.nowMs() / 1000);
        const more = await readUserInfo(library, configuration, tokens.access_token);
        if (!claims && !more) throw new Error('the provider sent neither an ID token nor user info');
        refuseOthers(subject, [claims, more]);
        const merged = mergeClaims(more ?? {}, claims ?? {});
        return { refreshToken: current, identity: ok({ issuer, subject, claims: merged }) };
      } catch (error) {
        const kind = refreshKindOf(library, error);
        return { refreshToken: current, identity: fail({ kind, detail: detailOf(error) }) };
      }
    },

    async logoutUrl(credentials, { idToken, returnTo }) {
      // If another provider was configured after the login, it must not get the token of the first provider.
      if (!isIssuedBy(decodeJwt(idToken).iss, credentials)) return undefined;
      const library = await load();
      try {
        const configuration = await configure(library, credentials);
        if (!configuration.serverMetadata().end_session_endpoint) return undefined;
        const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo };
        return library.buildEndSessionUrl(configuration, parameters).href;
      } catch {
        return undefined;
      }
    },

    async check(credentials) {
      const library = await load();
      const found = await attempt(library, () => discover(library, credentials, fetch));
      if (!found.ok) return fail({ kind: 'provider-unreachable', detail: found.problem.detail });
      const { issuer } = found.value.serverMetadata();
      const callback = new URL(NO_CALLBACK);
      callback.search = String(new URLSearchParams({ code: library.randomState(), iss: issuer }));
      try {
        await library.authorizationCodeGrant(found.value, callback, {
          pkceCodeVerifier: library.randomPKCECodeVerifier(),
        });
      } catch (error) {
        const code = await oauthErrorOf(library, error);
        if (code && CLIENT_REFUSED.includes(code)) return fail({ kind: 'client-refused', detail: code });
      }
      return ok(undefined);
    },
  };
}

/** Refuses tokens with a time in the future: with them, a login would count as recent for too long. */
function refuseFuture(claims: Claims, nowS: number): void {
  for (const name of ['iat', 'auth_time']) {
    const aheadS = Math.round(Number(claims[name] ?? 0) - nowS);
    if (aheadS > MAX_AHEAD_S)
      throw new Error(
        `${name} of the ID token is ${aheadS} s ahead: correct the clock here or at the provider`,
      );
  }
}

/** Some providers send groups and e-mail addresses only in the user info. The rules for roles and sites need them. */
async function readUserInfo(
  library: Library,
  configuration: Configuration,
  accessToken: string,
): Promise<Claims | undefined> {
  if (!configuration.serverMetadata().userinfo_endpoint) return undefined;
  // The subject is not checked here, because `refuseOthers` compares it.
  return library.fetchUserInfo(configuration, accessToken, library.skipSubjectCheck);
}

class OtherSubject extends Error {}
class ProviderChanged extends Error {}

function refuseOthers(subject: string, responses: (Claims | undefined)[]): void {
  for (const claims of responses)
    if (claims && claims.sub !== subject) throw new OtherSubject('the provider answered for another user');
}

/** Claims of the ID token take precedence. `email_verified` is taken from the source of the e-mail address. */
function mergeClaims(userInfo: Claims, idToken: Claims): Claims {
  const { email_verified } = idToken.email === undefined ? userInfo : idToken;
  return { ...userInfo, ...idToken, email_verified };
}

async function discover(
  library: Library,
  credentials: ProviderCredentials,
  fetch: CustomFetch,
): Promise<Configuration> {
  const { enableNonRepudiationChecks, allowInsecureRequests, customFetch } = library;
  const server = new URL(credentials.issuer);
  const configuration = await library.discovery(
    server,
    credentials.clientId,
    undefined,
    authenticationOf(library, credentials),
    {
      timeout: TIMEOUT_S,
      [customFetch]: fetch,
      execute: [enableNonRepudiationChecks, ...(isLoopbackUrl(server) ? [allowInsecureRequests] : [])],
    },
  );
  const { issuer } = configuration.serverMetadata();
  // For the multi-tenant addresses of Entra ID, openid-client accepts a different issuer. It is refused here, so that
  // users of other tenants cannot sign in.
  if (new URL(issuer).href !== server.href)
    throw new Error(`the provider calls itself ${issuer}, not ${credentials.issuer}`);
  return configuration;
}

/** The secret is sent in the body if the provider allows it: in the header, providers differ in how they decode it. */
function authenticationOf(library: Library, { clientSecret }: ProviderCredentials): ClientAuth {
  if (!clientSecret) return library.None();
  const [inBody, inHeader] = [
    library.ClientSecretPost(clientSecret),
    library.ClientSecretBasic(clientSecret),
  ];
  return (server, client, body, headers) => {
    const isInBody = server.token_endpoint_auth_methods_supported?.includes('client_secret_post');
    (isInBody ? inBody : inHeader)(server, client, body, headers);
  };
}

async function attempt<Value>(
  library: Library,
  run: () => Promise<Value>,
): Promise<Result<Value, ProviderProblem>> {
  try {
    return ok(await run());
  } catch (error) {
    return fail({ kind: kindOf(library, error), detail: detailOf(error) });
  }
}

function kindOf(library: Library, error: unknown): ProviderProblem['kind'] {
  if (error instanceof library.AuthorizationResponseError) return 'provider-denied';
  const cause = error instanceof Error ? error.cause : undefined;
  const isTimeout = error instanceof library.ClientError && error.code === 'OAUTH_TIMEOUT';
  const isServerError = cause instanceof Response && cause.status >= 500;
  const isNetwork = error instanceof TypeError && error.message === 'fetch failed';
  return isTimeout || isServerError || isNetwork || cause instanceof ResponseTooLarge
    ? 'provider-unreachable'
    : 'token-refused';
}

function refreshKindOf(library: Library, error: unknown): RefreshProblem['kind'] {
  if (error instanceof OtherSubject) return 'other-subject';
  if (error instanceof ProviderChanged) return 'provider-changed';
  if (error instanceof library.ResponseBodyError && error.error === 'invalid_grant') return 'grant-over';
  return kindOf(library, error) === 'provider-unreachable' ? 'provider-unreachable' : 'token-refused';
}

/** The error code of the token endpoint. openid-client does not read it if the provider also asks for a password. */
async function oauthErrorOf(library: Library, error: unknown): Promise<string | undefined> {
  if (error instanceof library.ResponseBodyError) return error.error;
  if (!(error instanceof library.WWWAuthenticateChallengeError)) return undefined;
  const body = v.safeParse(OAUTH_ERROR, await error.response.text());
  return body.success ? body.output.error : undefined;
}

/** What went wrong, without tokens: messages and codes of the error and its cause, and the provider's own words. */
function detailOf(error: unknown): string {
  if (!(error instanceof Error)) return toOneLine(String(error));
  const { cause } = error;
  const parts = [
    error.message,
    'error' in error ? error.error : undefined,
    'error_description' in error ? error.error_description : undefined,
    cause instanceof Error && cause.message !== error.message ? cause.message : undefined,
    cause instanceof Error && 'code' in cause ? cause.code : undefined,
  ];
  return toOneLine(parts.filter((part) => typeof part === 'string' && part !== '').join(': '));
}

/**
 * When the user entered the password at the provider. Empty if the provider does not support `auth_time`. If it
 * supports `auth_time` but does not send it, it has not asked for the password, and the time is 0.
 */
function authTimeMs(authTime: unknown, configuration: Configuration): { authenticatedAtMs?: number } {
  if (typeof authTime === 'number') return { authenticatedAtMs: authTime * 1000 };
  const isSupported = configuration.serverMetadata().claims_supported?.includes('auth_time');
  return isSupported ? { authenticatedAtMs: 0 } : {};
}

const CLAIMS = v.object({ iss: v.string(), sub: v.string() });

/** Does not check the signature: it was checked when the service received the token. */
function decodeJwt(token: string): { iss: string; sub: string } {
  try {
    return v.parse(CLAIMS, JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()));
  } catch {
    return { iss: '', sub: '' };
  }
}

/** Compares URLs, because the administrator may have written the issuer without the slash at the end. */
function isIssuedBy(issuer: string, credentials: ProviderCredentials): boolean {
  return URL.parse(issuer)?.href === URL.parse(credentials.issuer)?.href;
}
