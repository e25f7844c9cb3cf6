// Shared by the fault tests: one simulated controller of each flavour, the same two calls through each of three access
// paths, and the outcome of a broken connection.

import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, errors, request } from 'undici';
import type { Fault } from '../../src/faults/fault-list.ts';
import { openSession, prefixOf, type Reply, type StartConsole, type TestConsole } from './test-console.ts';
import { until } from './until.ts';

/** Long enough for every response that arrives at all. */
const PATIENCE_MS = 20_000;
/**
 * How long a caller keeps waiting after a fault that leaves it without a response, or without the end of a response.
 */
const PATIENCE_AFTER_FAULT_MS = 150;

/** The response, or how the connection failed. */
export type Outcome = { reply: Reply; failure?: undefined } | { reply?: undefined; failure: string };

export interface WayIn {
  name: string;
  simulator: TestConsole;
  create(): Promise<Outcome>;
  list(): Promise<Outcome>;
  /** Sends an order and gives up soon after the fault has affected it. */
  createInVain(): Promise<Outcome>;
  /** Sends an order and gives up soon after the response has begun. */
  createWithoutEnd(): Promise<Outcome>;
  listWithoutEnd(): Promise<Outcome>;
  /** The number of vouchers, read without being affected by faults. */
  stored(): number;
  /** Removes all faults, then sets this fault. */
  setFault(fault: Fault): void;
}

export const WAYS_IN = ['integration', 'classic on UniFi OS', 'classic server'];

export async function openWaysIn(startConsole: StartConsole): Promise<WayIn[]> {
  const console = await startConsole({ loginsPerMinute: null });
  const server = await startConsole({ flavour: 'unifi-classic' });
  const path = `/proxy/network/integration/v1/sites/${console.siteUuid}/hotspot/vouchers`;
  const headers = { 'x-api-key': console.apiKey };
  const order = { count: 1, name: 'N', timeLimitMinutes: 60 };
  return [
    makeWayIn('integration', console, {
      create: { method: 'POST', path, headers, body: order },
      list: { method: 'GET', path, headers },
    }),
    makeWayIn('classic on UniFi OS', console, await classicCalls(console)),
    makeWayIn('classic server', server, await classicCalls(server)),
  ];
}

export interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: object;
}

interface Calls {
  create: Sent;
  list: Sent;
}

async function classicCalls(console: TestConsole): Promise<Calls> {
  const site = `${prefixOf(console.flavour)}/api/s/default`;
  const { cookie, csrfToken } = await openSession(console, { rememberMe: true });
  const headers = { cookie, 'x-csrf-token': csrfToken };
  const order = { cmd: 'create-voucher', n: 1, quota: 1, expire: 60, note: 'N' };
  return {
    create: { method: 'POST', path: `${site}/cmd/hotspot`, headers, body: order },
    list: { method: 'GET', path: `${site}/stat/voucher`, headers },
  };
}

function makeWayIn(name: string, console: TestConsole, calls: Calls): WayIn {
  const { controls } = console;
  async function inVain(call: Sent): Promise<Outcome> {
    const patience = new AbortController();
    const outcome = tryCall(console, call, { signal: patience.signal });
    await until(() => controls.faults().some(({ met }) => met > 0));
    await sleep(PATIENCE_AFTER_FAULT_MS);
    patience.abort();
    return outcome;
  }
  async function withoutEnd(call: Sent): Promise<Outcome> {
    const patience = new AbortController();
    const begun = Promise.withResolvers<void>();
    const outcome = tryCall(console, call, { signal: patience.signal, onBegun: begun.resolve });
    // A response that fails before it begins, or never begins, is an outcome too; the test checks it.
    await Promise.race([begun.promise, outcome, sleep(PATIENCE_MS, undefined, { ref: false })]);
    await sleep(PATIENCE_AFTER_FAULT_MS);
    patience.abort();
    return outcome;
  }
  return {
    name,
    simulator: console,
    create: () => tryCall(console, calls.create),
    list: () => tryCall(console, calls.list),
    createInVain: () => inVain(calls.create),
    createWithoutEnd: () => withoutEnd(calls.create),
    listWithoutEnd: () => withoutEnd(calls.list),
    stored: () => controls.counters().vouchers,
    setFault(fault) {
      controls.resetFaults();
      controls.setFault(fault);
    },
  };
}

/** Makes one call on its own connection. */
export async function tryCall(
  console: TestConsole,
  { method, path, headers, body }: Sent,
  { signal = AbortSignal.timeout(PATIENCE_MS), onBegun = () => {} } = {},
): Promise<Outcome> {
  const connect = { ca: console.certificatePem, servername: 'unifi.local' };
  const dispatcher = new Agent({ connect });
  let isBegun = false;
  try {
    const response = await request(console.url + path, {
      dispatcher,
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
    isBegun = true;
    onBegun();
    const text = await response.body.text();
    return { reply: { status: response.statusCode, headers: response.headers, text, json: parse(text) } };
  } catch (error) {
    return { failure: nameOf(error, isBegun) };
  } finally {
    await dispatcher.destroy();
  }
}

function nameOf(error: unknown, isBegun: boolean): string {
  if (error instanceof Error && error.name === 'AbortError') return isBegun ? 'no end' : 'no answer';
  if (error instanceof errors.HeadersOverflowError) return 'headers too large';
  if (error instanceof errors.HTTPParserError) return 'not HTTP';
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
