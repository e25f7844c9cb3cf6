// Sends bytes unchanged, for requests that no HTTP client would send, and returns the response as text.

import { connect } from 'node:net';

/** Waits until the server closes the connection or the body of the response is complete. */
export function rawRequest(url: string, bytes: string | Buffer, patienceMs = 30_000): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let received = '';
    const timer = setTimeout(
      () => socket.destroy(new Error(`no answer in time, got: ${received}`)),
      patienceMs,
    );
    const finish = () => {
      clearTimeout(timer);
      socket.destroy();
      resolve(received);
    };
    socket.setEncoding('utf8');
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (isComplete(received)) finish();
    });
    socket.on('end', finish);
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

function isComplete(text: string): boolean {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const length = /content-length: (\d+)/i.exec(head)?.[1];
  return length !== undefined && Buffer.byteLength(rest.join('\r\n\r\n')) >= Number(length);
}
