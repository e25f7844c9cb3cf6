// GET /openapi.json: the description of this API. Needs no API key and has no rate limit.

import { serverUrlOf } from '../../kernel/contract/openapi-handler.ts';
import { type Handler, JSON_TYPE } from '../../platform/http/handler.ts';
import { checkInput } from './known-input.ts';
import { problemResponse } from './problems.ts';

export function makeOpenapiHandler(prefix: string): Handler {
  let last = { url: '', body: Buffer.alloc(0) };

  return async function describe(request) {
    if (request.method !== 'GET')
      return problemResponse({ kind: 'method-not-allowed', allowed: ['GET'] }, request);
    const known = checkInput(request);
    if (!known.ok) return problemResponse(known.problem, request);
    const url = serverUrlOf(request, prefix);
    if (url !== last.url) {
      // Few clients ask for it, so a service does not load it at the start.
      const { openapiDocument } = await import('./openapi-document.ts');
      last = { url, body: Buffer.from(openapiDocument(url)) };
    }
    return {
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
      body: last.body,
    };
  };
}
