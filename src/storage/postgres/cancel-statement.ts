// Asks the server to cancel the statement that a connection is running. The request needs a connection of its own and no
// login; PgBouncer passes it on to the right server connection.

import { connect } from 'node:net';
import type { PoolClient } from 'pg';

/** The code of a cancel request in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
const REQUEST_BYTES = 16;
const PATIENCE_MS = 5_000;

export function cancelStatement(client: PoolClient): void {
  const key = keyOf(client);
  if (!key) return;
  const request = Buffer.alloc(REQUEST_BYTES);
  [REQUEST_BYTES, CANCEL_REQUEST, ...key].forEach((value, index) => {
    request.writeInt32BE(value, index * 4);
  });
  const { host, port } = client;
  const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  // If the request does not arrive, the driver gives the connection up a moment later.
  socket.on('error', () => {});
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  // The receiver closes the connection. PgBouncer drops the request if the connection is closed before.
  socket.write(request);
  socket.resume();
}

/** The numbers with which the server, or PgBouncer, recognises the connection. */
function keyOf(client: object): [number, number] | undefined {
  if (!('processID' in client) || !('secretKey' in client)) return undefined;
  const { processID, secretKey } = client;
  return typeof processID === 'number' && typeof secretKey === 'number' ? [processID, secretKey] : undefined;
}
