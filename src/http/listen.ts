// Starts the HTTP server and shuts it down gracefully.

import { once } from 'node:events';
import type { Server } from 'node:http';

const MAX_DRAIN_MS = 25_000;

/** Returns the URL of the server. */
/** Connections that wait to be accepted. With Node's 511, the system resets connections of a burst of 1,000. */
const MAX_UNACCEPTED = 4_096;

export async function listen(server: Server, place: { host: string; port: number }): Promise<string> {
  server.listen({ ...place, backlog: MAX_UNACCEPTED });
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : place.port;
  return `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`;
}

/** Accepts no new connections and waits for the requests in progress, at most `MAX_DRAIN_MS`. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const patience = setTimeout(() => server.closeAllConnections(), MAX_DRAIN_MS);
  await closed;
  clearTimeout(patience);
}
