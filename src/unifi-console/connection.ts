// The connection an answer goes down, made of Node's response and the bare socket under it: for answers as
// they should be, and for all the ways a fault may spoil them.

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, Sendable } from './faults/turn.ts';

const NO_BODY = [204, 304];

/** `bareSocket`: below TLS, where a reset is possible. */
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
    send(answer) {
      if (!isOpen()) return;
      const bytes = Buffer.from(answer.body);
      begin(answer, bytes.length);
      response.end(NO_BODY.includes(answer.status) ? undefined : bytes);
    },
    begin(answer) {
      if (!isOpen()) return;
      // Without a body at hand its length is unknown: it goes in chunks.
      begin(answer, answer.body === '' ? undefined : Buffer.byteLength(answer.body));
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
