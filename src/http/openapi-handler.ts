// GET /openapi.php: the description of the API, without a key and without a limit.

import { type Handler, type HttpRequest, JSON_TYPE, problemResponse } from './handler.ts';
import { openapiDocument } from './openapi-document.ts';

export function makeOpenapiHandler(basePath: string): Handler {
  // Nearly everybody asks under the same address; answers that wait to be sent then share their bytes.
  let last = { url: '', body: Buffer.alloc(0) };

  return async function describe(request) {
    if (request.method !== 'GET') return problemResponse({ kind: 'method-not-allowed', allowed: ['GET'] });
    const url = addressOf(request, basePath);
    if (url !== last.url) last = { url, body: Buffer.from(openapiDocument(url)) };
    return {
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
      body: last.body,
    };
  };
}

/** Of the API, as this caller reaches it. */
export function addressOf(request: Pick<HttpRequest, 'headers' | 'isHttps'>, basePath: string): string {
  return `${request.isHttps() ? 'https' : 'http'}://${request.headers.host || 'localhost'}${basePath}`;
}
