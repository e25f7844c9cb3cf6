// Keeps other sites from acting in somebody's name: a POST must come from our own pages, as the browser says,
// and carry the token that only our pages know.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Follows from the session (or, before there is one, from the visitor's cookie), and does not give it away. */
export function makeFormToken(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

export function isFormToken(presented: string | null, secret: string): boolean {
  const expected = Buffer.from(makeFormToken(secret));
  const given = Buffer.from(presented ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** What the browser itself says about where the request was made. */
export function isFromOurPages(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}
