// Counts the connection attempts of the process, and replaces the results of DNS lookups.

import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { Socket } from 'node:net';
import type { TestContext } from 'node:test';

/** Node emits an event for each attempt before it sends the first packet. */
export function countAttempts(t: TestContext): string[] {
  const attempts: string[] = [];
  const { emit } = Socket.prototype;
  t.mock.method(Socket.prototype, 'emit', function (this: Socket, event: string, ...given: unknown[]) {
    if (event === 'connectionAttempt') attempts.push(String(given[0]));
    return Reflect.apply(emit, this, [event, ...given]);
  });
  return attempts;
}

type Addresses = { address: string; family: 4 | 6 }[];
type Callback = (error: Error | null, addresses: Addresses) => void;

let restoreLookups = () => {};

/**
 * Answers DNS lookups from now on: each lookup gets the next answer, and the last answer is repeated. An answer without
 * IP addresses means that the name does not exist. Returns the names that were looked up.
 */
export function respondToLookups(t: TestContext, ...responses: string[][]): string[] {
  const asked: string[] = [];
  async function next(hostname: string): Promise<Addresses> {
    const response = responses[Math.min(asked.length, responses.length - 1)] ?? [];
    asked.push(hostname);
    if (response.length === 0)
      throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' });
    return response.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  }
  function lookUp(hostname: string, _options: unknown, callback: Callback): void {
    next(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  }
  // A test may call this twice, and a mock of a mock could not be restored.
  restoreLookups();
  const mocks = [t.mock.method(dns, 'lookup', lookUp), t.mock.method(dns.promises, 'lookup', next)];
  syncBuiltinESMExports();
  restoreLookups = () => {
    for (const { mock } of mocks) mock.restore();
    syncBuiltinESMExports();
  };
  t.after(() => restoreLookups());
  return asked;
}
