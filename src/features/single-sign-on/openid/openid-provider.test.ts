// Tests what the real providers of the other tests cannot show: Entra ID's addresses for several tenants, and how the
// client authenticates itself.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeIdentityProvider } from './openid-provider.ts';

const CREDENTIALS = { clientId: 'gastpass', clientSecret: 'a secret', scopes: 'openid' };
const CALLBACK = 'https://gastpass.example.org/login/oidc/callback';
const LOGIN = { redirectUri: CALLBACK, isAgain: false };

/** A provider that describes itself as told and records what is sent to its token endpoint. */
function setup(
  description: Record<string, unknown>,
  refuse = () => Response.json({ error: 'invalid_grant' }, { status: 400 }),
) {
  const sent: { body: string; authorization: string | undefined }[] = [];
  const provider = makeIdentityProvider({
    clock: { nowMs: () => 0 },
    fetch: async (url, { body, headers }) => {
      if (!url.includes('/.well-known/')) {
        sent.push({ body: String(body), authorization: headers.authorization });
        return refuse();
      }
      const base = url.slice(0, url.indexOf('/.well-known/'));
      return Response.json({
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/keys`,
        ...description,
      });
    },
  });
  return { provider, sent };
}

test('users of other Entra ID tenants do not get in', async () => {
  const issuer = 'https://login.microsoftonline.com/common/v2.0';
  const { provider } = setup({ issuer: 'https://login.microsoftonline.com/{tenantid}/v2.0' });
  const begun = await provider.begin({ ...CREDENTIALS, issuer }, LOGIN);
  assert.equal(begun.ok ? 'ok' : begun.problem.kind, 'provider-unreachable');
});

test('the address of one Entra ID tenant is accepted', async () => {
  const { provider } = setup({});
  const issuer = 'https://login.microsoftonline.com/8f0d1c2e-0000-0000-0000-000000000000/v2.0';
  assert.ok((await provider.begin({ ...CREDENTIALS, issuer }, LOGIN)).ok);
});

test('an issuer that ends with a slash is accepted', async () => {
  const issuer = 'https://auth.example.org/application/o/gastpass/';
  const { provider } = setup({ issuer });
  assert.ok((await provider.begin({ ...CREDENTIALS, issuer }, LOGIN)).ok);
});

test('simultaneous logins read the description of the provider once, and a failure is not remembered', async () => {
  let calls = 0;
  const failing = makeIdentityProvider({
    clock: { nowMs: () => 0 },
    fetch: async () => {
      calls++;
      throw new TypeError('fetch failed');
    },
  });
  const credentials = { ...CREDENTIALS, issuer };
  const begun = await Promise.all([failing.begin(credentials, LOGIN), failing.begin(credentials, LOGIN)]);
  assert.deepEqual([begun.map(({ ok }) => ok), calls], [[false, false], 1]);
  await failing.begin(credentials, LOGIN);
  assert.equal(calls, 2);
});

const issuer = 'https://login.example.org';
async function sendCode(description: Record<string, unknown>, clientSecret: string | null) {
  const { provider, sent } = setup(description);
  const url = `${CALLBACK}?code=1&state=s`;
  const secrets = { state: 's', nonce: 'n', verifier: 'v'.repeat(43) };
  const finished = await provider.finish({ ...CREDENTIALS, issuer, clientSecret }, { url, secrets });
  assert.equal(finished.ok ? 'ok' : finished.problem.kind, 'token-refused');
  return sent[0];
}

test('the secret is sent in the body if the provider allows it, otherwise in the header', async () => {
  const methods = ['client_secret_basic', 'client_secret_post'];
  const inBody = await sendCode({ token_endpoint_auth_methods_supported: methods }, 'a secret');
  assert.match(inBody?.body ?? '', /client_secret=a\+secret/);
  const inHeader = await sendCode({}, 'a secret');
  assert.match(inHeader?.authorization ?? '', /^Basic /);
  assert.doesNotMatch(inHeader?.body ?? '', /secret/);
});

test('a client without a secret sends its id and the PKCE verifier', async () => {
  const sent = await sendCode({}, null);
  assert.match(sent?.body ?? '', /client_id=gastpass/);
  assert.match(sent?.body ?? '', /code_verifier=v{43}/);
  assert.equal(sent?.authorization, undefined);
});

const OTHERS = { status: 401, headers: { 'www-authenticate': 'Basic realm="x"' } };

test('a check without a user tells a refused client from a refused code, and claims nothing else', async () => {
  const check = async (refuse: () => Response, clientSecret: string | null = 'a secret') => {
    // Such a provider names itself in the response that carries the code.
    const description = { authorization_response_iss_parameter_supported: true };
    const { provider, sent } = setup(description, refuse);
    const checked = await provider.check({ ...CREDENTIALS, issuer, clientSecret });
    assert.equal(sent.length, 1);
    return checked.ok ? 'ok' : `${checked.problem.kind}: ${checked.problem.detail}`;
  };
  const oauth = (error: string, init: ResponseInit) => () => Response.json({ error }, init);
  for (const init of [{ status: 400 }, { status: 401 }, OTHERS])
    for (const error of ['invalid_client', 'unauthorized_client'])
      assert.equal(await check(oauth(error, init)), `client-refused: ${error}`);
  assert.equal(await check(oauth('invalid_client', { status: 400 }), null), 'client-refused: invalid_client');
  for (const unclear of [
    oauth('invalid_grant', { status: 400 }),
    oauth('invalid_grant', OTHERS),
    oauth('invalid_request', { status: 400 }),
    oauth('temporarily_unavailable', { status: 503 }),
    () => new Response('<h1>Sign in</h1>', OTHERS),
    () => new Response('Bad Gateway', { status: 502 }),
    () => Response.json({}),
    () => {
      throw new TypeError('fetch failed');
    },
  ])
    assert.equal(await check(unclear), 'ok');
});

test('a check finds a provider that calls itself otherwise', async () => {
  const { provider } = setup({ issuer: 'https://other.example.org' });
  const checked = await provider.check({ ...CREDENTIALS, issuer });
  assert.equal(checked.ok ? 'ok' : checked.problem.kind, 'provider-unreachable');
});
