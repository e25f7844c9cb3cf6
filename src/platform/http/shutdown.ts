// Shuts a server down in steps. Behind a proxy that knows other instances, the server first only reports in /readyz
// that it shuts down, so that the proxy sends new requests to the other instances.

import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { drain } from './listen.ts';

export interface ProxyWaits {
  /** How long the port stays open after /readyz has changed, so that the proxy notices the change. */
  noticeMs: number;
  /**
   * How long idle connections stay open after the port is closed. A busy proxy uses them once more, and the response
   * tells it that the connection closes.
   */
  idleMs: number;
}

export function makeShutdown(waits: ProxyWaits | undefined) {
  let isLeaving = false;
  let isDraining = false;
  const stopping = new AbortController();
  let isRefusing = false;
  return {
    isLeaving: () => isLeaving,
    /** Whether responses close their connections. */
    isDraining: () => isDraining,
    /** Whether new requests get 503. */
    isRefusing: () => isRefusing,
    /** Aborted when no request can arrive any more. */
    stopping: stopping.signal,
    /** Resolves when all requests have ended. */
    async close(server: Server): Promise<void> {
      isLeaving = true;
      if (waits) await sleep(waits.noticeMs);
      else isDraining = isRefusing = true;
      await drain(server, {
        // Behind a proxy, responses close their connections only after the port is closed. If they did so earlier, the
        // proxy would open new connections while the port closes.
        onPortClosed: () => {
          isDraining = true;
        },
        idleMs: waits?.idleMs ?? 0,
        onIdleClosed: () => {
          isRefusing = true;
          stopping.abort();
        },
      });
    },
  };
}
