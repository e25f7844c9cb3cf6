// Makes the responses of this API that are no problems.

import type { HttpResponse } from '../../platform/http/handler.ts';
import { taggedResponse } from '../../platform/http/if-none-match.ts';

/** `again`: see `Reuse`. */
export function withEtag(value: object, again: () => HttpResponse | undefined): HttpResponse {
  const body = Buffer.from(JSON.stringify(value));
  return { ...taggedResponse(body), reuse: { again, bytes: body.length } };
}
