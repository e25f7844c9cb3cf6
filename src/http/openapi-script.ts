// GET /openapi.php: the description of the API, without a key and without a limit.

import { answerProblem, JSON_TYPE, type Script } from './exchange.ts';
import { openapiDocument } from './openapi-document.ts';

export function makeOpenapiScript(basePath: string): Script {
  return async function describe({ method, headers, isHttps }) {
    if (method !== 'GET') return answerProblem({ kind: 'method-not-allowed', allowed: ['GET'] });
    const scheme = isHttps() ? 'https' : 'http';
    const host = headers.host || 'localhost';
    return {
      status: 200,
      headers: { 'content-type': JSON_TYPE, 'cache-control': 'no-store' },
      body: openapiDocument(`${scheme}://${host}${basePath}`),
    };
  };
}
