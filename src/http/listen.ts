// Opens the server's door, and closes it again without slamming it on anybody inside.

import { once } from 'node:events';
import type { Server } from 'node:http';

const MAX_DRAIN_MS = 25_000;

/** Gives the address to call it by. */
export async function listen(server: Server, place: { host: string; port: number }): Promise<string> {
  server.listen(place.port, place.host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : place.port;
  return `http://${place.host.includes(':') ? `[${place.host}]` : place.host}:${port}`;
}

/** Takes no new connections and waits for the requests under way, though not for ever. */
export async function drain(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const patience = setTimeout(() => server.closeAllConnections(), MAX_DRAIN_MS);
  await closed;
  clearTimeout(patience);
}
