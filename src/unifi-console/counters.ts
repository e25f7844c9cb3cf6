// Counts what a simulated controller is asked, for tests that must know how often.

import type { Operation } from './http.ts';
import type { SimulatedConsole } from './simulated-console.ts';

export interface Counters {
  /** By operation, faults included; operations nobody asked for are absent. */
  requests: Partial<Record<Operation, number>>;
  requestsInAll: number;
  logins: number;
  loginsRefused: number;
  vouchers: number;
  /** Since the start, deleted ones included. */
  vouchersCreated: number;
  /** Late creations that have not happened yet. */
  vouchersPending: number;
  connectionsOpen: number;
  /** Since the start or the last reset. */
  connectionsOpened: number;
}

export interface Tally {
  request(operation: Operation): void;
  connectionOpened(): void;
  connectionClosed(): void;
  read(): Counters;
  reset(): void;
}

export function makeTally({ tallies, vouchers }: SimulatedConsole): Tally {
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
