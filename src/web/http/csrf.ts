// CSRF protection: the browser's headers must not name another site as the origin of a POST, and the form must contain
// a token that only our own pages can read.

import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Derived from the session token, or from the anonymous cookie before login; it does not reveal that secret. */
export function makeFormToken(secret: string): string {
  return createHmac('sha256', secret).update('form').digest('base64url');
}

export function isFormToken(presented: string | null, expected: string): boolean {
  const [given, wanted] = [Buffer.from(presented ?? ''), Buffer.from(expected)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

/** True if the browser itself says that the form is from our own page. */
export function isProvenOurs(headers: IncomingHttpHeaders): boolean {
  const isSaid = headers['sec-fetch-site'] === 'same-origin' || headers.origin !== undefined;
  return isSaid && isFromOurPages(headers);
}

/**
 * Checks `Sec-Fetch-Site` and `Origin`. A request without these headers passes; the form token still protects it.
 * Stricter than Hono's `csrf`, which accepts a request if one of the two headers is right.
 */
export function isFromOurPages(headers: IncomingHttpHeaders): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && from.host === host;
}
