// Makes the responses of this API that are no problems.

import type { HttpResponse } from '../handler.ts';
import { taggedResponse } from '../if-none-match.ts';

/** `again`: see `Reuse`. */
export function withEtag(value: object, again: () => HttpResponse | undefined): HttpResponse {
  const body = Buffer.from(JSON.stringify(value));
  return { ...taggedResponse(body), reuse: { again, bytes: body.length } };
}
