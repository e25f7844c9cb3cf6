// CSRF protection. The headers of a POST must not name another website as its origin, and the form must contain a token
// that only our own pages can read.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Derives the form token. `secret` is the session token or, before login, the value of the anonymous cookie. */
export function makeFormToken(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

export function isFormToken(presented: string | null, expected: string): boolean {
  const [given, wanted] = [Buffer.from(presented ?? ''), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** True if the browser's headers confirm that the form was sent by one of our own pages. */
export function isProvenOurs(headers: IncomingHttpHeaders): boolean {
  const isSaid = headers['sec-fetch-site'] === 'same-origin' || headers.origin !== undefined;
  return isSaid && isFromOurPages(headers);
}

/**
 * Checks the headers `Sec-Fetch-Site` and `Origin`. A request without these headers is accepted, because the form token
 * is checked too. Hono's own `csrf` is less strict: it accepts a request if one of the two headers is right.
 */
export function isFromOurPages(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && from.host === host;
}
