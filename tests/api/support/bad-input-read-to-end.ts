// Sends raw bytes and reads until the server closes the connection, for tests with more than one response on a
// connection. The last request must ask the server to close the connection.

import { once } from 'node:events';
import { connect } from 'node:net';

export async function readToEnd(url: string, bytes: string | Buffer, patienceMs = 30_000): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname, () => socket.write(bytes));
  const timer = setTimeout(() => socket.destroy(new Error(`not closed in time: ${received}`)), patienceMs);
  let received = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    received += chunk;
  });
  await once(socket, 'end');
  clearTimeout(timer);
  socket.destroy();
  return received;
}

/** The status codes of all responses in the received text. */
export function statusesIn(received: string): number[] {
  return [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((match) => Number(match[1]));
}
