// A target for notifications: a real HTTP or HTTPS server on a port of its own that keeps what it was sent
// and answers as it is told, well or badly. And the webhook that points to it.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { asWebhookId } from '../../src/domain/ids.ts';
import type { Notification } from '../../src/domain/webhooks/notification.ts';
import type { Webhook } from '../../src/domain/webhooks/webhook.ts';
import { makeSelfSigned } from '../../src/unifi-console/self-signed.ts';

export interface Received {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  atMs: number;
}

export interface Behaviour {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Without any answer, or with these bytes instead of one. */
  instead?: 'hang' | 'reset' | { bytes: string };
  /** After the body, which is then not the end: nothing more, the line is cut, a letter now and then, or ever more. */
  afterwards?: 'hang' | 'reset' | 'drip' | 'flood';
}

export interface Receiver {
  url: string;
  port: number;
  /** Of HTTPS; nobody trusts it by itself. Made out for `localhost`. */
  certificate: string | undefined;
  requests: Received[];
  connections: () => number;
  /** Of a flood, so far. */
  sentBytes: () => number;
  /** One request after the other; the last goes on. */
  answerWith: (...behaviours: Behaviour[]) => void;
  untilReceived: (count: number) => Promise<void>;
  /** Until nobody is connected. */
  untilAlone: () => Promise<void>;
  stop: () => Promise<void>;
}

const DRIP_MS = 20;
const FLOOD_CHUNK = Buffer.alloc(64 * 1024, 'x');

export async function startReceiver({ tls = false, host = '127.0.0.1' } = {}): Promise<Receiver> {
  const requests: Received[] = [];
  const sockets = new Set<Socket>();
  const waiting = new Set<() => void>();
  let script: Behaviour[] = [{}];
  let connections = 0;
  let sentBytes = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body: await text(request), atMs: Date.now() });
    for (const wake of waiting) wake();
    const behaviour = (script.length > 1 ? script.shift() : script[0]) ?? {};
    await behave(behaviour, response, (bytes) => {
      sentBytes += bytes;
    });
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // Who hangs up early finds nobody who minds.
    answer(request, response).catch(() => {});
  };
  // Without IP addresses: a receiver called by its number then has a certificate for another name.
  const signed = tls ? makeSelfSigned(Date.now(), []) : undefined;
  const server = signed
    ? createTlsServer({ key: signed.privateKeyPem, cert: signed.certificatePem }, onRequest)
    : createServer(onRequest);
  server.on('connection', (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  const { port } = address;

  return {
    url: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    port,
    certificate: signed?.certificatePem,
    requests,
    connections: () => connections,
    sentBytes: () => sentBytes,
    answerWith(...behaviours) {
      script = behaviours;
    },
    async untilReceived(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
    async untilAlone() {
      const closing = [...sockets].map((socket) => new Promise((resolve) => socket.on('close', resolve)));
      await Promise.all(closing);
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function behave(
  { status = 204, headers = {}, body = '', instead, afterwards }: Behaviour,
  response: ServerResponse,
  noteSent: (bytes: number) => void,
): Promise<void> {
  const { socket } = response;
  if (instead === 'hang') return;
  if (instead === 'reset') return void socket?.resetAndDestroy();
  if (instead) return void socket?.end(instead.bytes);

  response.writeHead(status, headers);
  if (!afterwards) return void response.end(body);
  response.write(body);
  response.flushHeaders();
  if (afterwards === 'reset') setImmediate(() => socket?.resetAndDestroy());
  if (afterwards === 'drip') {
    const timer = setInterval(() => response.write('.'), DRIP_MS);
    response.on('close', () => clearInterval(timer));
  }
  while (afterwards === 'flood' && !response.destroyed) {
    noteSent(FLOOD_CHUNK.length);
    if (!response.write(FLOOD_CHUNK)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await nextTurn();
  }
}

export function webhookTo(url: string, given: Partial<Webhook> = {}): Webhook {
  return {
    id: asWebhookId(1),
    url,
    format: 'chat',
    platform: null,
    secrets: null,
    active: true,
    offBecause: null,
    failures: 0,
    createdAtMs: Date.parse('2026-01-15T11:28:51.000Z'),
    ...given,
  };
}

export const oneVoucher: Notification = {
  eventId: '2f6d8a52-1d0c-4c0e-9a54-0d6a5d1b7c11',
  kind: 'voucher.created',
  voucherCount: 1,
  siteName: 'Haus A',
  source: 'API: Theke',
  occurredAtMs: Date.parse('2026-01-15T11:28:51.000Z'),
};
