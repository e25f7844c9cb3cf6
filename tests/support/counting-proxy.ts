// A proxy in front of PostgreSQL that counts round trips: the messages after which a client waits for the server.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A simple query, or the end of an extended query. */
const AWAITED = ['Q', 'S'];
const LENGTH_BYTES = 4;

export interface CountingProxy {
  /** The same database, reached through the proxy. */
  url: string;
  /** The number of round trips since the last call. */
  take(): number;
  close(): void;
}

export async function startCountingProxy(url: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(url);
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((caller) => {
    const database = connect(Number(port), hostname);
    const read = makeMessageReader((type) => {
      if (AWAITED.includes(type)) count++;
    });
    caller.on('data', read).pipe(database).pipe(caller);
    for (const socket of [caller, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  const through = new URL(url);
  through.host = `127.0.0.1:${address.port}`;
  return {
    url: through.href,
    take() {
      const taken = count;
      count = 0;
      return taken;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Every message has a type and its length; only the first message of a connection has no type. */
function makeMessageReader(onMessage: (type: string) => void): (bytes: Buffer) => void {
  let rest = Buffer.alloc(0);
  let typeBytes = 0;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      if (typeBytes > 0) onMessage(rest.toString('latin1', 0, typeBytes));
      rest = rest.subarray(end);
      typeBytes = 1;
    }
  };
}
