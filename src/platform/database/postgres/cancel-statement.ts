// Asks the server to cancel the statement that a connection is running. The request needs a connection of its own,
// without a login, but with TLS if the connection of the statement uses TLS. PgBouncer forwards the request to the
// right server connection.

import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { PoolClient } from 'pg';

/** The codes of a cancel request and of a request for TLS in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
const TLS_REQUEST = 80_877_103;
/** The server's answer if it is ready for TLS. */
const TLS_READY = 'S'.charCodeAt(0);
const PATIENCE_MS = 5_000;

/** If the request does not arrive, the driver stops waiting for the statement a moment later. */
export function cancelStatement(client: PoolClient): void {
  const key = keyOf(client);
  if (key) sendRequest(client, toMessage(CANCEL_REQUEST, ...key)).catch(() => {});
}

async function sendRequest(client: PoolClient, request: Buffer): Promise<void> {
  const socket = openTo(client);
  socket.on('error', () => {});
  socket.setTimeout(PATIENCE_MS, () => socket.destroy());
  const secured = client.ssl ? await secure(socket, client) : socket;
  // The receiver closes the connection. If this side closed it first, PgBouncer would drop the request.
  secured.write(request);
  secured.resume();
}

function openTo({ host, port, connection: { stream } }: PoolClient): Socket {
  if (host.startsWith('/')) return connect(`${host}/.s.PGSQL.${port}`);
  // Uses the IP address of the connection, because after a failover the host name may lead to another server.
  const address =
    'remoteAddress' in stream && typeof stream.remoteAddress === 'string' ? stream.remoteAddress : host;
  return connect(port, address);
}

async function secure(socket: Socket, { host, ssl }: PoolClient): Promise<Socket> {
  socket.write(toMessage(TLS_REQUEST));
  const [response]: Buffer[] = await once(socket, 'data');
  if (response?.[0] !== TLS_READY) {
    socket.destroy();
    throw new Error('the server refused TLS');
  }
  const secured = connectTls({
    ...tlsOptionsOf(ssl),
    socket,
    host,
    ...(isIP(host) === 0 && { servername: host }),
  });
  secured.on('error', () => socket.destroy());
  return secured;
}

/** The driver stores the TLS options of the database URL in `ssl`, although its type allows only true and false. */
function tlsOptionsOf(ssl: unknown): object {
  if (typeof ssl !== 'object' || ssl === null) return {};
  // The driver makes the key non-enumerable, so the spread does not copy it.
  return { ...ssl, ...('key' in ssl && { key: ssl.key }) };
}

function toMessage(...numbers: number[]): Buffer {
  const message = Buffer.alloc(4 * (numbers.length + 1));
  [message.length, ...numbers].forEach((value, index) => {
    message.writeInt32BE(value, index * 4);
  });
  return message;
}

/** The numbers that identify the connection to the server, or to PgBouncer. */
function keyOf(client: object): [number, number] | undefined {
  if (!('processID' in client) || !('secretKey' in client)) return undefined;
  const { processID, secretKey } = client;
  return typeof processID === 'number' && typeof secretKey === 'number' ? [processID, secretKey] : undefined;
}
