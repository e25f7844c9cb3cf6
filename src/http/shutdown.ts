// Shuts a server down in steps. Behind a proxy that knows other instances, the server first only reports in /readyz that
// it is leaving, so that the proxy sends new requests to the others.

import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { drain } from './listen.ts';

export interface ProxyWaits {
  /** From the change of /readyz to the closing of the port: the proxy notices the change. */
  noticeMs: number;
  /** From then to the closing of idle connections: a busy proxy uses them once more, and learns that they close. */
  idleMs: number;
}

export function makeShutdown(waits: ProxyWaits | undefined) {
  let isLeaving = false;
  let isDraining = false;
  const stopping = new AbortController();
  let isRefusing = false;
  return {
    isLeaving: () => isLeaving,
    /** Responses close their connections. */
    isDraining: () => isDraining,
    /** New requests get 503. */
    isRefusing: () => isRefusing,
    /** Aborted when no request can arrive any more. */
    stopping: stopping.signal,
    /** Resolves when all requests have ended. */
    async close(server: Server): Promise<void> {
      isLeaving = true;
      if (waits) await sleep(waits.noticeMs);
      else isDraining = isRefusing = true;
      await drain(server, {
        // Not before: responses then close their connections, and the port would close while proxies open new ones.
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
