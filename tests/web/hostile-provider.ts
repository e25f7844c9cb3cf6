// An OpenID Connect provider whose tokens a test can falsify: it signs what it is told to, with any key or none, and
// accepts every code as often as it is sent.

import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Falsified {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: KeyObject;
  /** Replaces the description of the provider in parts. */
  description?: Record<string, unknown>;
  /** The provider has a user info endpoint, which says this. */
  userInfo?: Record<string, unknown>;
  /** Part of the response with tokens. */
  refreshToken?: string;
  /** Waits for ever instead of responding. */
  isSilent?: boolean;
  hasNoIdToken?: boolean;
  /** The size of the key set. */
  padding?: number;
}

export interface HostileProvider {
  issuer: string;
  /** Applies to everything the provider says from now on. */
  falsify(next: Falsified): void;
  /** The requests for tokens so far. */
  tokenRequests: URLSearchParams[];
  stop(): Promise<void>;
}

export const CLAIMS = {
  sub: 'mallory',
  email: 'mallory@example.org',
  email_verified: true,
  groups: ['desk'],
};

const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export const foreignKey = () => makeKey().privateKey;

export async function startHostileProvider(clientId: string): Promise<HostileProvider> {
  const { privateKey, publicKey } = makeKey();
  const tokenRequests: URLSearchParams[] = [];
  let falsified: Falsified = {};
  let nonce = '';
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', issuer);
    if (falsified.isSilent) return;
    if (url.pathname === '/.well-known/openid-configuration') return sendJson(response, describe());
    if (url.pathname === '/keys') {
      const key = { ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'one' };
      return sendJson(response, { keys: [key], padding: 'x'.repeat(falsified.padding ?? 0) });
    }
    if (url.pathname === '/authorize') {
      nonce = url.searchParams.get('nonce') ?? '';
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.searchParams.set('code', 'a-code');
      back.searchParams.set('state', url.searchParams.get('state') ?? '');
      return response.writeHead(303, { location: back.href }).end();
    }
    if (url.pathname === '/token') {
      let body = '';
      for await (const piece of request) body += piece;
      tokenRequests.push(new URLSearchParams(body));
      const { refreshToken: refresh_token, hasNoIdToken } = falsified;
      const id_token = hasNoIdToken ? undefined : makeToken();
      return sendJson(response, { access_token: 'a', token_type: 'Bearer', id_token, refresh_token });
    }
    if (url.pathname === '/userinfo') return sendJson(response, { ...falsified.userInfo });
    return response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function describe() {
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      id_token_signing_alg_values_supported: ['ES256'],
      ...(falsified.userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
      ...falsified.description,
    };
  }

  function makeToken(): string {
    const nowS = Math.floor(Date.now() / 1000);
    const standard = { iss: issuer, aud: clientId, iat: nowS, exp: nowS + 300, nonce };
    const claims = { ...CLAIMS, ...standard, ...falsified.claims };
    const header = { alg: 'ES256', kid: 'one', ...falsified.header };
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const text = `${encode(header)}.${encode(claims)}`;
    if (header.alg === 'none') return `${text}.`;
    const key = falsified.key ?? createPrivateKey(privateKey.export({ format: 'pem', type: 'pkcs8' }));
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  return {
    issuer,
    tokenRequests,
    falsify(next) {
      falsified = next;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function sendJson(response: ServerResponse, value: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
