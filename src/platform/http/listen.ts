// Starts the HTTP server and shuts it down gracefully.

import { once } from 'node:events';
import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

const MAX_DRAIN_MS = 25_000;
/**
 * The maximum number of connections that wait to be accepted. With Node's default of 511, the system resets some
 * connections of a burst of 1,000.
 */
const MAX_UNACCEPTED = 4_096;

/** Returns the URL of the server. */
export async function listen(server: Server, place: { host: string; port: number }): Promise<string> {
  server.listen({ ...place, backlog: MAX_UNACCEPTED });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : place.port;
  return `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`;
}

interface Draining {
  /** Called when the port is closed. */
  onPortClosed?: () => void;
  /**
   * How long idle connections stay open after the port is closed. A proxy may be sending a POST on such a connection,
   * and cannot repeat the POST if the connection is closed.
   */
  idleMs?: number;
  /** Called when the idle connections are closed. */
  onIdleClosed?: () => void;
}

/** Accepts no new connections and waits for the requests in progress, at most `MAX_DRAIN_MS`. */
export async function drain(server: Server, draining: Draining = {}): Promise<void> {
  const { onPortClosed, idleMs = 0, onIdleClosed } = draining;
  await untilAllAccepted(server);
  const patience = setTimeout(() => server.closeAllConnections(), MAX_DRAIN_MS);
  // Closes only the port: `server.close()` would also close the idle connections.
  const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  onPortClosed?.();
  await Promise.race([closed, sleep(idleMs, undefined, { ref: false })]);
  server.close();
  onIdleClosed?.();
  await closed;
  clearTimeout(patience);
}

/**
 * Waits until Node has accepted all connections that the system holds for it. Closing the port would reset connections
 * that are not accepted yet.
 */
async function untilAllAccepted(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted++;
  };
  server.on('connection', count);
  await nextTurn();
  for (let before = -1; before < accepted && accepted < MAX_UNACCEPTED; ) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}
