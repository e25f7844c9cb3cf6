// The connection on which a response is sent, made of Node's response and the TCP socket below it. Sends both correct
// responses and the broken responses of faults.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, Sendable } from './faults/turn.ts';

const NO_BODY = [204, 304];

/** `bareSocket`: the TCP socket below TLS, needed to reset the connection. */
export function makeConnection(
  message: IncomingMessage,
  response: ServerResponse,
  bareSocket: Socket | undefined,
): Connection {
  const isOpen = () => !message.socket.destroyed && !response.destroyed;

  function begin({ status, headers }: Omit<Sendable, 'body'>, bytes: number | undefined): void {
    const length = bytes === undefined || NO_BODY.includes(status) ? {} : { 'Content-Length': bytes };
    response.writeHead(status, { ...headers, ...length });
  }

  return {
    isOpen,
    send(content) {
      if (!isOpen()) return;
      const bytes = Buffer.from(content.body);
      begin(content, bytes.length);
      response.end(NO_BODY.includes(content.status) ? undefined : bytes);
    },
    begin(content) {
      if (!isOpen()) return;
      // An empty body stands for a body that is not known yet. Its length is unknown, so it is sent in chunks.
      begin(content, content.body === '' ? undefined : Buffer.byteLength(content.body));
      response.flushHeaders();
    },
    write: (bytes) =>
      new Promise((resolve) => {
        if (!isOpen()) return resolve();
        const done = () => {
          response.off('close', done);
          resolve();
        };
        response.once('close', done);
        response.write(bytes, done);
      }),
    end: () => void (isOpen() && response.end()),
    sent: () =>
      new Promise((resolve) => {
        if (response.writableFinished || !isOpen()) return resolve();
        response.once('finish', resolve);
        response.once('close', resolve);
      }),
    cut() {
      if (bareSocket && !bareSocket.destroyed) bareSocket.resetAndDestroy();
      else message.socket.destroy();
    },
    sendRaw: (bytes) => void message.socket.end(bytes),
  };
}
