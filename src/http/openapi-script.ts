// GET /openapi.php: the description of the API, without a key and without a limit.

import { answerProblem, JSON_TYPE, type Script } from './exchange.ts';
import { openapiDocument } from './openapi-document.ts';

export function makeOpenapiScript(basePath: string): Script {
  // Nearly everybody asks under the same address; answers that wait to be sent then share their bytes.
  let last = { url: '', body: Buffer.alloc(0) };

  return async function describe(request) {
    const { method, headers } = request;
    if (method !== 'GET') return answerProblem({ kind: 'method-not-allowed', allowed: ['GET'] });
    const scheme = request.isHttps() ? 'https' : 'http';
    const host = headers.host || 'localhost';
    const url = `${scheme}://${host}${basePath}`;
    if (url !== last.url) last = { url, body: Buffer.from(openapiDocument(url)) };
    return {
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
      body: last.body,
    };
  };
}
