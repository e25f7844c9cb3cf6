// A simulated controller for tests and a simple client for it, over real TLS: the client verifies the certificate and
// its name.

import assert from 'node:assert/strict';
import { after } from 'node:test';
import { Agent, request } from 'undici';
import type { ConsoleOptions, Flavour } from '../../src/options.ts';
import { type SimulatedConsole, startSimulatedConsole } from '../../src/server.ts';
import { type FakeClock, makeFakeClock } from './fake-clock.ts';

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** The parsed body, or undefined. Untyped, because each test expects a different structure. */
  json: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  headers?: Record<string, string>;
  /** An object is sent as JSON, a string unchanged. */
  body?: unknown;
}

export type Call = (method: string, path: string, options?: CallOptions) => Promise<Reply>;

export interface TestConsole extends SimulatedConsole {
  clock: FakeClock;
  call: Call;
  /** With the API key. */
  byKey: Call;
  /** The official API below its version prefix, with the API key. */
  integration: Call;
  siteUuid: string;
}

export type StartConsole = (options?: ConsoleOptions) => Promise<TestConsole>;

/** Called once per test file. All simulators that it starts are stopped when the tests of the file have ended. */
export function useConsoles(): StartConsole {
  const stops: (() => Promise<void>)[] = [];
  after(async () => {
    for (const stop of stops) await stop();
  });
  return async (options) => {
    const { simulator: console, stop } = await startConsole(options);
    stops.push(stop);
    return console;
  };
}

async function startConsole(
  options: ConsoleOptions = {},
): Promise<{ simulator: TestConsole; stop: () => Promise<void> }> {
  const clock = makeFakeClock();
  const console = await startSimulatedConsole({ clock: clock.nowMs, ...options });
  const agent = new Agent({ connect: { ca: console.certificatePem, servername: 'unifi.local' } });
  async function stop(): Promise<void> {
    await agent.destroy();
    await console.stop();
  }

  const call: Call = async (method, path, { headers = {}, body } = {}) => {
    const isText = typeof body === 'string';
    const response = await request(console.url + path, {
      dispatcher: agent,
      method,
      headers: { ...(body !== undefined && !isText && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text, json: parse(text) };
  };
  const byKey: Call = (method, path, { headers, ...rest } = {}) =>
    call(method, path, { headers: { 'x-api-key': console.apiKey, ...headers }, ...rest });
  const integration: Call = (method, path, options) =>
    byKey(method, `/proxy/network/integration/v1${path}`, options);
  const sites = console.flavour === 'unifi-os' ? await integration('GET', '/sites') : undefined;
  console.controls.resetCounters();
  const siteUuid = sites?.json.data[0].id ?? '';
  return { simulator: { ...console, clock, call, byKey, integration, siteUuid }, stop };
}

/** The path prefix of the classic API. */
export const prefixOf = (flavour: Flavour): string => (flavour === 'unifi-os' ? '/proxy/network' : '');

export interface LoggedIn {
  login: Reply;
  cookie: string;
  csrfToken: string;
  /** Sends the cookie and the CSRF token. */
  call: Call;
  /** Paths below the default site of the classic API. */
  site: Call;
}

export async function openSession(console: TestConsole, fields: object = {}): Promise<LoggedIn> {
  const { flavour, username, password } = console;
  const path = flavour === 'unifi-os' ? '/api/auth/login' : '/api/login';
  const login = await console.call('POST', path, { body: { username, password, ...fields } });
  assert.equal(login.status, 200, login.text);
  const cookie = cookiesOf(login).join('; ');
  const csrfToken = String(login.headers['x-csrf-token'] ?? '');
  const call: Call = (method, target, { headers, ...rest } = {}) =>
    console.call(method, target, {
      headers: { cookie, ...(csrfToken !== '' && { 'x-csrf-token': csrfToken }), ...headers },
      ...rest,
    });
  const site: Call = (method, target, options) =>
    call(method, `${prefixOf(flavour)}/api/s/default/${target}`, options);
  return { login, cookie, csrfToken, call, site };
}

/** Name and value of each cookie that was set. */
export function cookiesOf({ headers }: Reply): string[] {
  const lines = [headers['set-cookie'] ?? []].flat();
  return lines.map((line) => line.split(';')[0] ?? '');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
