// Resolves the host names of webhooks and printers, only a few at the same time: the system resolver runs in a small
// thread pool that the whole process shares, and a DNS server that hangs must not occupy all its threads. Simultaneous
// lookups of the same name are shared.

import { type LookupAddress, lookup } from 'node:dns';
import { makeSemaphore } from '../../concurrency/semaphore.ts';

const AT_ONCE = 4;

export type LookUp = (hostname: string) => Promise<LookupAddress[]>;

export function makeSharedDnsLookup(): LookUp {
  const inFlight = new Map<string, Promise<LookupAddress[]>>();
  const semaphore = makeSemaphore({ places: AT_ONCE });

  return function lookUp(hostname) {
    const known = inFlight.get(hostname);
    if (known) return known;
    const asked = inTurn(hostname).finally(() => inFlight.delete(hostname));
    inFlight.set(hostname, asked);
    return asked;
  };

  async function inTurn(hostname: string): Promise<LookupAddress[]> {
    await semaphore.acquire();
    try {
      return await ask(hostname);
    } finally {
      semaphore.release();
    }
  }
}

function ask(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
