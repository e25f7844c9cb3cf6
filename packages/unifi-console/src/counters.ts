// Counts the requests, logins, vouchers and connections of a simulated controller, for tests.

import type { ConsoleState } from './console-state.ts';
import type { Operation } from './http.ts';

export interface Counters {
  /** The number of requests by operation, including those that met a fault. Operations without requests are absent. */
  requests: Partial<Record<Operation, number>>;
  requestsInAll: number;
  logins: number;
  loginsRefused: number;
  vouchers: number;
  /** All vouchers created since the start, including deleted ones. A reset does not change this number. */
  vouchersCreated: number;
  /** Vouchers that were created but appear only later, because of a fault. */
  vouchersPending: number;
  connectionsOpen: number;
  /** How many connections were opened since the start or the last reset. */
  connectionsOpened: number;
}

export interface Tally {
  request(operation: Operation): void;
  connectionOpened(): void;
  connectionClosed(): void;
  read(): Counters;
  reset(): void;
}

export function makeTally({ tallies, vouchers }: ConsoleState): Tally {
  let requests: Partial<Record<Operation, number>> = {};
  let requestsInAll = 0;
  let connectionsOpen = 0;
  let connectionsOpened = 0;
  return {
    request(operation) {
      requests[operation] = (requests[operation] ?? 0) + 1;
      requestsInAll++;
    },
    connectionOpened() {
      connectionsOpen++;
      connectionsOpened++;
    },
    connectionClosed() {
      connectionsOpen--;
    },
    read: () => ({
      requests: { ...requests },
      requestsInAll,
      ...tallies,
      ...vouchers.counts(),
      connectionsOpen,
      connectionsOpened,
    }),
    reset() {
      requests = {};
      requestsInAll = 0;
      connectionsOpened = 0;
      Object.assign(tallies, { logins: 0, loginsRefused: 0 });
    },
  };
}
