// Makes the responses of this API that are no problems.

import { hash } from 'node:crypto';
import { type HttpResponse, JSON_TYPE } from '../handler.ts';

/** `again`: see `Reuse`. */
export function withEtag(value: object, again?: () => HttpResponse | undefined): HttpResponse {
  const body = Buffer.from(JSON.stringify(value));
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'private, no-cache' };
  return {
    status: 200,
    headers: { 'content-type': JSON_TYPE, ...headers },
    body,
    ...(again && { reuse: { again, bytes: body.length } }),
    notModified: { status: 304, headers, body: '' },
  };
}
