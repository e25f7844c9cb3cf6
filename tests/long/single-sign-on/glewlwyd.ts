// A second OpenID Connect provider for tests: Glewlwyd, written in C and packaged by Debian. The packages are unpacked
// into a temporary folder, so that nothing is installed.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../../support/run-gastpass.ts';
import { until } from '../../support/until.ts';
import { unpackDebian } from '../unpack-debian.ts';

/** What the package depends on for other databases and for its own pages. */
const NOT_NEEDED = /mysql|mariadb-c|dbconfig|fonts-|libjs-|-perl$/;
/** Of the administrator that Glewlwyd's own database script creates. */
const ADMIN = { username: 'admin', password: 'password' };
export const USER = { username: 'rita', password: 'ein Passwort', email: 'rita@example.org', name: 'Rita' };

export interface Glewlwyd {
  issuer: string;
  /** Follows the URL of the service to the provider as the signed-in user. Returns where the provider leads back to. */
  passThrough(url: string): Promise<string>;
  stop(): Promise<void>;
}

interface Client {
  clientId: string;
  clientSecret: string;
  redirectUri: string;
}

export async function startGlewlwyd(client: Client): Promise<Glewlwyd> {
  const { folder, remove } = makeFolder();
  const root = unpackDebian(folder, 'glewlwyd', { except: NOT_NEEDED });
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const child = start(folder, root, port);
  const stop = async () => {
    child.kill();
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve));
    remove();
  };
  try {
    await untilReady(url, child);
    await setup(`${url}/api`, client);
    const cookie = await login(`${url}/api`, USER);
    await send(`${url}/api/auth/grant/${client.clientId}`, {
      method: 'PUT',
      cookie,
      body: { scope: 'openid' },
    });
    return {
      issuer: `${url}/api/oidc`,
      async passThrough(start) {
        const loginPage = new URL(await follow(start, cookie));
        // The login page leads on with this parameter when the user presses its button.
        return follow(`${loginPage.searchParams.get('callback_url')}&g_continue`, cookie);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function follow(url: string, cookie: string): Promise<string> {
  const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
  const location = response.headers.get('location');
  assert.ok(location, `${response.status}: ${await response.text()}`);
  return location;
}

function start(folder: string, root: string, port: number): ChildProcess {
  const database = join(folder, 'glewlwyd.sqlite');
  const file = new DatabaseSync(database);
  file.exec(readFileSync(join(root, 'usr/share/dbconfig-common/data/glewlwyd/install/sqlite3'), 'utf8'));
  file.close();
  const modules = join(root, 'usr/lib/glewlwyd');
  const settings = {
    bind_address: '127.0.0.1',
    external_url: `http://localhost:${port}`,
    api_prefix: 'api',
    log_mode: 'console',
    log_level: 'ERROR',
    cookie_domain: 'localhost',
    user_module_path: `${modules}/user`,
    client_module_path: `${modules}/client`,
    user_auth_scheme_module_path: `${modules}/scheme`,
    plugin_module_path: `${modules}/plugin`,
    user_middleware_module_path: modules,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}="${value}"`);
  const config = join(folder, 'glewlwyd.conf');
  writeFileSync(
    config,
    `port=${port}\n${lines.join('\n')}\ndatabase = { type = "sqlite3"; path = "${database}"; };\n`,
  );
  const libraries = readdirSync(join(root, 'usr/lib')).filter((name) => name.endsWith('-linux-gnu'));
  const paths = libraries.map((name) => join(root, 'usr/lib', name)).join(':');
  return spawn(join(root, 'usr/bin/glewlwyd'), [`--config-file=${config}`], {
    stdio: 'ignore',
    env: { LD_LIBRARY_PATH: paths },
  });
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  await until(async () => {
    assert.equal(child.exitCode, null, 'Glewlwyd has ended');
    const response = await fetch(`${url}/config`).catch(() => undefined);
    await response?.arrayBuffer();
    return response;
  });
}

/** Adds the OpenID Connect plugin, the client and the user through Glewlwyd's own API. */
async function setup(api: string, { clientId, clientSecret, redirectUri }: Client): Promise<void> {
  const cookie = await login(api, ADMIN);
  const post = (path: string, body: object) => send(api + path, { method: 'POST', cookie, body });
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig', kid: 'one' };
  await post('/mod/plugin/', {
    module: 'oidc',
    name: 'oidc',
    display_name: 'oidc',
    enabled: true,
    parameters: {
      iss: `${api}/oidc`,
      'jwks-private': JSON.stringify({ keys: [key] }),
      'default-kid': key.kid,
      'access-token-duration': 600,
      'refresh-token-duration': 600,
      'code-duration': 600,
      'auth-type-code-enabled': true,
      'pkce-allowed': true,
      'email-claim': 'mandatory',
      'name-claim': 'mandatory',
    },
  });
  await post('/client/?source=database', {
    client_id: clientId,
    client_secret: clientSecret,
    name: clientId,
    confidential: true,
    enabled: true,
    redirect_uri: [redirectUri],
    authorization_type: ['code'],
    token_endpoint_auth_method: ['client_secret_post', 'client_secret_basic'],
    scope: [],
  });
  await post('/user/?source=database', { ...USER, enabled: true, scope: ['openid', 'g_profile'] });
}

async function login(api: string, { username, password }: typeof ADMIN): Promise<string> {
  const response = await send(`${api}/auth/`, { method: 'POST', body: { username, password } });
  return response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
}

async function send(
  url: string,
  { method, cookie = '', body }: { method: string; cookie?: string; body: object },
): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  });
  assert.equal(response.status, 200, `${method} ${url}: ${await response.text()}`);
  return response;
}
