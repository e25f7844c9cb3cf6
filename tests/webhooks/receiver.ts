// A target for notifications: a real HTTP or HTTPS server on its own port that records requests and responds, correctly
// or not, as a test tells it. Also the webhook that points to it.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeSelfSigned } from '../../packages/unifi-console/src/self-signed.ts';
import { DEFAULT_EVENTS, type Notification } from '../../src/features/webhooks/notification.ts';
import type { KnownWebhook } from '../../src/features/webhooks/webhook.ts';
import { asWebhookId } from '../../src/kernel/ids.ts';

export interface Received {
  method: string;
  /** Includes the query. */
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  atMs: number;
}

export interface Behaviour {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** Sends no response, or these bytes instead of a response. */
  instead?: 'hang' | 'reset' | { bytes: string };
  /** After the body, the response does not end: it hangs, is reset, drips characters, or sends endless data. */
  afterwards?: 'hang' | 'reset' | 'drip' | 'flood';
}

export interface Receiver {
  url: string;
  port: number;
  /** The self-signed certificate of an HTTPS server, issued for `localhost`. */
  certificate: string | undefined;
  requests: Received[];
  connections: () => number;
  /** The number of bytes that floods have sent so far. */
  sentBytes: () => number;
  /** Each request gets the next behaviour, and the last behaviour is repeated. */
  respondWith: (...behaviours: Behaviour[]) => void;
  untilReceived: (count: number) => Promise<void>;
  /** Waits until all connections are closed. */
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

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url: path = '', headers } = request;
    requests.push({ method, path, headers, body: await text(request), atMs: Date.now() });
    for (const wake of waiting) wake();
    const behaviour = (script.length > 1 ? script.shift() : script[0]) ?? {};
    await behave(behaviour, response, (bytes) => {
      sentBytes += bytes;
    });
  }

  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // A client that disconnects early is not an error.
    respond(request, response).catch(() => {});
  };
  // The certificate contains no IP address, so that it does not match a receiver called by its IP address.
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
    respondWith(...behaviours) {
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

export function webhookTo(url: string, given: Partial<KnownWebhook> = {}): KnownWebhook {
  return {
    id: asWebhookId(1),
    name: URL.canParse(url) ? new URL(url).host : url,
    events: DEFAULT_EVENTS,
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
