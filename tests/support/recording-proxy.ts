// A proxy in front of a PostgreSQL server that keeps what clients send first, to see whether it is encrypted.

import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

const KEPT_BYTES = 64;

export interface RecordingProxy {
  port: number;
  /** The first bytes of each connection. */
  connections(): Buffer[];
  close(): void;
}

export async function startRecordingProxy(url: string): Promise<RecordingProxy> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const connections: Buffer[] = [];
  const server = createServer((caller) => {
    const index = connections.push(Buffer.alloc(0)) - 1;
    const database = connect(Number(port), hostname);
    caller.on('data', (bytes: Buffer) => {
      const known = connections[index] ?? Buffer.alloc(0);
      if (known.length < KEPT_BYTES) connections[index] = Buffer.concat([known, bytes]);
    });
    caller.pipe(database).pipe(caller);
    for (const socket of [caller, database]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    // `localhost` may mean either family.
  }).listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no free port');
  return {
    port: address.port,
    connections: () => connections,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
