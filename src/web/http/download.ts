// The response for a file download: the browser saves the file, and no cache stores it.

import type { PageContext } from './context.ts';

interface Download {
  name: string;
  type: string;
  body: string | Buffer;
}

export function download({ hono }: PageContext, { name, type, body }: Download): Response {
  return hono.body(typeof body === 'string' ? body : new Uint8Array(body), 200, {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  });
}
