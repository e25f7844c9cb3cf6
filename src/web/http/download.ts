// The response for a file download: the browser saves the file, and no cache stores it.

import type { HttpResponse } from '../../http/handler.ts';

export function download(name: string, type: string, body: string | Buffer): HttpResponse {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    },
    body,
  };
}
