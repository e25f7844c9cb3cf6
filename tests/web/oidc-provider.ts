// A real OpenID Connect provider for tests (oidc-provider), and a browser's way through it. Its login page asks for
// nothing: the account that a test has chosen is signed in.

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';
import type { SingleSignOnChange } from '../../src/features/single-sign-on/single-sign-on.ts';
import { TESTER } from '../support/actors.ts';
import type { TestService } from '../support/test-service.ts';
import type { Page, WebClient } from './web-client.ts';

export const CLIENT = { clientId: 'gastpass', clientSecret: 'ein Geheimnis des Anbieters & mehr' };

export interface Account {
  sub: string;
  email?: string;
  email_verified?: boolean;
  preferred_username?: string;
  name?: string;
  groups?: string[];
}

export interface TestProvider {
  issuer: string;
  /** The account that signs in at the provider from now on, and what the provider says about it. */
  loginAs(account: Account): void;
  /** Deactivates the account: its refresh tokens are refused. */
  deactivate(account: Account): void;
  /** Whether logins get a refresh token. It is accepted once and replaced by the next one. */
  givesRefreshTokens: boolean;
  /** Called before each request; may answer it or delay it. */
  intercept: (path: string, response: ServerResponse) => Promise<void>;
  /** How often a refresh token was accepted. */
  refreshes: number;
  stop(): Promise<void>;
}

/**
 * With `host` set to `localhost`, the provider is another website to a browser that calls the service by its address.
 */
export async function startProvider(serviceUrl: string, host = '127.0.0.1'): Promise<TestProvider> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
  let current: Account = { sub: 'nobody' };
  const accounts = new Map<string, Account>();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const provider = new Provider(issuer, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['test'] },
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [`${serviceUrl}/login/oidc/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/login`],
        id_token_signed_response_alg: 'ES256',
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    scopes: ['openid', 'profile', 'email', 'groups'],
    claims: {
      openid: ['sub'],
      profile: ['name', 'preferred_username'],
      email: ['email', 'email_verified'],
      groups: ['groups'],
    },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600, RefreshToken: 600 },
    issueRefreshToken: async () => test.givesRefreshTokens,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => {
      const account = accounts.get(sub);
      return account && { accountId: sub, claims: () => ({ ...account }) };
    },
    async loadExistingGrant(ctx) {
      const grant = new provider.Grant({
        clientId: CLIENT.clientId,
        ...(ctx.oidc.session?.accountId && { accountId: ctx.oidc.session.accountId }),
      });
      grant.addOIDCScope('openid profile email groups');
      await grant.save();
      return grant;
    },
  });
  provider.on('grant.success', ({ oidc }) => {
    if (oidc.params?.grant_type === 'refresh_token') test.refreshes++;
  });
  const handle = provider.callback();
  server.on('request', async (request, response) => {
    await test.intercept(request.url ?? '', response);
    if (response.writableEnded) return;
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response);
    provider
      .interactionFinished(request, response, { login: { accountId: current.sub } })
      .catch((error) => response.writeHead(500).end(String(error)));
  });
  const test: TestProvider = {
    issuer,
    loginAs(account) {
      current = account;
      accounts.set(account.sub, account);
    },
    deactivate: ({ sub }) => void accounts.delete(sub),
    givesRefreshTokens: false,
    intercept: async () => {},
    refreshes: 0,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return test;
}

/** Changes the settings as an administrator would. */
export function setupSingleSignOn({ beside, clock }: TestService, change: SingleSignOnChange): Promise<void> {
  return beside.singleSignOn.change(change, { actor: TESTER, atMs: clock.nowMs() });
}

/**
 * Follows the redirects of the provider, with a fresh set of its cookies, until they lead back to the service.
 * Returns the path and query that the provider sends the browser to.
 */
export async function passThrough(startUrl: string, serviceUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = startUrl;
  for (let steps = 0; steps < 10; steps++) {
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    assert.ok(location, `the provider says ${response.status}: ${await response.text()}`);
    url = new URL(location, url).href;
    if (url.startsWith(serviceUrl)) return url.slice(serviceUrl.length);
  }
  throw new Error('too many redirects');
}

/** A complete login at the provider. */
export async function loginThere(
  webClient: WebClient,
  serviceUrl: string,
  path = '/login/oidc',
): Promise<Page> {
  const begun = await webClient.get(path);
  assert.equal(begun.status, 303, begun.text);
  return webClient.get(await passThrough(begun.location ?? '', serviceUrl));
}
