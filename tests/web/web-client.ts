// A browser, as seen by the server: keeps cookies, does not follow redirects, and sends forms with their token.

import assert from 'node:assert/strict';
import { randomBytes, scryptSync } from 'node:crypto';
import type { Role } from '../../src/kernel/users/user.ts';
import { TESTER } from '../support/actors.ts';
import type { TestService } from '../support/test-service.ts';

export const PASSWORD = 'ein gutes Passwort';
/** A hash contains its cost; this one is cheap, because tests log in often. */
const passwordHash = hashCheaply(PASSWORD);

export interface Page {
  status: number;
  headers: Headers;
  text: string;
  location: string | null;
}

/** A list is sent as several fields with the same name. */
export type FormFields = Record<string, string | string[]>;

export interface WebClient {
  get(path: string, headers?: Record<string, string>): Promise<Page>;
  /** Loads a page first and sends the form with the token from that page. */
  post(path: string, fields: FormFields, headers?: Record<string, string>): Promise<Page>;
  login(email: string, password?: string): Promise<Page>;
  cookies: Map<string, string>;
}

/** @param request is `fetch` unless a test needs headers that `fetch` sets itself */
export function makeWebClient(
  { url }: Pick<TestService, 'url'>,
  request: (url: string, init: RequestInit) => Promise<Response> = fetch,
): WebClient {
  const cookies = new Map<string, string>();

  async function send(path: string, init: RequestInit): Promise<Page> {
    const response = await request(url + path, {
      redirect: 'manual',
      ...init,
      headers: {
        accept: 'text/html',
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...init.headers,
      },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return {
      status: response.status,
      headers: response.headers,
      text: await response.text(),
      location: response.headers.get('location'),
    };
  }

  const get: WebClient['get'] = (path, headers = {}) => send(path, { headers });
  const post: WebClient['post'] = async (path, fields, headers = {}) => {
    const door = await get(cookies.has('gastpass') ? '/account' : '/login');
    // The redirect leads to the setup of the installation or of a second factor.
    const page = door.location ? await get(door.location) : door;
    const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const body = new URLSearchParams();
    for (const [name, value] of Object.entries({ token, ...fields }))
      for (const one of [value].flat()) body.append(name, one);
    return send(path, { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', ...headers }, body });
  };
  return {
    cookies,
    get,
    post,
    login: (email, password = PASSWORD) => post('/login', { email, password }),
  };
}

function hashCheaply(password: string): string {
  const [log2Cost, salt] = [10, randomBytes(16)];
  const hash = scryptSync(password, salt, 32, { N: 2 ** log2Cost, r: 8, p: 1 });
  return ['scrypt', log2Cost, salt.toString('base64url'), hash.toString('base64url')].join('$');
}

/** Adds a user with the password PASSWORD. */
export async function addUser(service: TestService, email: string, role: Role): Promise<number> {
  const user = { email, name: email.split('@')[0] ?? '', role, createdAtMs: service.clock.nowMs() };
  const id = await service.beside.users.add(
    { ...user, passwordHash },
    { actor: TESTER, atMs: user.createdAtMs },
  );
  assert.ok(id);
  return id;
}

export async function loggedIn(service: TestService, email: string): Promise<WebClient> {
  const webClient = makeWebClient(service);
  let { status } = await webClient.login(email);
  // On a busy machine password checks queue up, and some logins get 503.
  for (let tries = 1; status === 503 && tries < 10; tries++) ({ status } = await webClient.login(email));
  assert.equal(status, 303);
  return webClient;
}
