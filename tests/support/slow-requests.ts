// Clients with an IP address of their own: some begin a POST and do not finish it, others send ordinary requests.

import { type IncomingHttpHeaders, request } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface BegunPost {
  socket: Socket;
  /** What the server has sent so far. */
  respond: () => string;
  /** Resolves when the connection is closed, also by a reset. */
  closed: Promise<void>;
}

interface Begun {
  /** An address of the loopback network; each one is another client network for the service. */
  from?: string;
  headers?: string[];
  contentLength?: number;
}

/** Sends the headers and the first byte of the body. */
export function beginPost(url: string, path: string, options: Begun = {}): BegunPost {
  const { from = '127.0.0.1', headers = [], contentLength = 1_000 } = options;
  const { hostname, port } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, localAddress: from });
  let response = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    response += text;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const lines = [`POST ${path} HTTP/1.1`, 'Host: localhost', `Content-Length: ${contentLength}`, ...headers];
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
  return { socket, respond: () => response, closed };
}

interface Sent {
  from?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export function requestFrom(url: string, { from = '127.0.0.1', method = 'GET', headers = {}, body }: Sent) {
  return new Promise<{ status: number; text: string; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const outgoing = request(url, { method, localAddress: from, headers, agent: false }, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, text, headers: response.headers });
    });
    outgoing.once('error', reject).end(body);
  });
}
