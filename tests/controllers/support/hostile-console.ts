// A UniFi console whose answers the test writes: it accepts every API key and login, has the site "default", and
// leaves the other answers to the test.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text as readBody } from 'node:stream/consumers';
import { makeSelfSigned } from '../../../packages/unifi-console/src/self-signed.ts';
import type { PinnedConsole } from './pinned-site.ts';

export interface HostileRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}

/** Returns an answer as JSON, or writes the response itself and returns undefined. */
export type HostileResponse = (
  request: HostileRequest,
  response: ServerResponse,
) => { status?: number; headers?: Record<string, string | string[]>; json: unknown } | undefined;

export interface HostileConsole extends PinnedConsole {
  /** The requests beyond login and site lookup. */
  asked: HostileRequest[];
  [Symbol.asyncDispose](): Promise<void>;
}

const SITE = { id: 'b0b0b0b0-0000-4000-8000-000000000001', internalReference: 'default', name: 'Default' };

const DEFAULTS: Record<string, unknown> = {
  '/': {},
  '/api/auth/login': {},
  '/proxy/network/integration/v1/info': { applicationVersion: '10.5.66' },
  '/proxy/network/integration/v1/sites': { offset: 0, limit: 200, count: 1, totalCount: 1, data: [SITE] },
  '/proxy/network/api/self/sites': { meta: { rc: 'ok' }, data: [{ name: 'default', desc: 'Default' }] },
};

export async function startHostileConsole(respond: HostileResponse): Promise<HostileConsole> {
  const { privateKeyPem, certificatePem, fingerprint256 } = makeSelfSigned(Date.now());
  const asked: HostileRequest[] = [];
  const server = createServer({ key: privateKeyPem, cert: certificatePem }, (message, response) => {
    response.on('error', () => {});
    void serve(message, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(message.url ?? '/', 'https://console');
    const request = { method: message.method ?? '', path, query, body: await readBody(message) };
    const own = respond(request, response);
    if (own || response.headersSent) asked.push(request);
    if (response.headersSent) return;
    const json = own ? own.json : DEFAULTS[path];
    const cookie = path === '/api/auth/login' ? { 'set-cookie': 'TOKEN=a.b.c; Path=/' } : {};
    const status = own?.status ?? (json === undefined ? 404 : 200);
    response.writeHead(status, { 'content-type': 'application/json', ...cookie, ...own?.headers });
    response.end(JSON.stringify(json ?? {}));
  }

  return {
    url: `https://127.0.0.1:${port}`,
    fingerprint256,
    apiKey: 'hostile-api-key with spaces',
    username: 'admin',
    password: 'hostile password',
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
