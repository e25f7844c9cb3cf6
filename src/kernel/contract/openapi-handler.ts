// GET /openapi.php: returns the description of the API contract. It needs no API key and has no rate limit.

import { type Handler, type HttpRequest, JSON_TYPE } from '../../platform/http/handler.ts';
import { problemResponse } from './problem-response.ts';

export function makeOpenapiHandler(basePath: string, documentOf: (serverUrl: string) => string): Handler {
  // Nearly all requests use the same server URL. Keeping the last document lets pending responses share one buffer.
  let last = { url: '', body: Buffer.alloc(0) };

  return function describe(request) {
    if (request.method !== 'GET') return problemResponse({ kind: 'method-not-allowed', allowed: ['GET'] });
    const url = serverUrlOf(request, basePath);
    if (url !== last.url) last = { url, body: Buffer.from(documentOf(url)) };
    return {
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
      body: last.body,
    };
  };
}

/** A host name or an IP address, and perhaps a port. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** If the Host header is not a host, the URL is relative to the address of the document. */
export function serverUrlOf(request: HttpRequest, basePath: string): string {
  const { host } = request.headers;
  return !host || HOST.test(host) ? urlOf(request, basePath) : basePath || '/';
}

/** The base URL of the API, as the client of this request reaches it. */
export function urlOf(request: Pick<HttpRequest, 'headers' | 'isHttps'>, basePath: string): string {
  return `${request.isHttps() ? 'https' : 'http'}://${request.headers.host || 'localhost'}${basePath}`;
}
