// Cookies of the web interface. Over HTTPS their names carry the prefix that binds them to this host.

import type { IncomingHttpHeaders } from 'node:http';

export interface CookieOptions {
  name: string;
  value: string;
  isHttps: boolean;
  /** Until the browser is closed unless told otherwise. */
  maxAgeS?: number;
}

/** Read and written under the same name: `__Host-…` over HTTPS. */
export function cookieName(name: string, isHttps: boolean): string {
  return isHttps ? `__Host-${name}` : name;
}

export function readCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  for (const pair of (cookie ?? '').split(';')) {
    const mark = pair.indexOf('=');
    if (mark > 0 && pair.slice(0, mark).trim() === name) return pair.slice(mark + 1).trim();
  }
  return undefined;
}

export function setCookie({ name, value, isHttps, maxAgeS }: CookieOptions): string {
  const parts = [`${cookieName(name, isHttps)}=${value}`, 'Path=/', 'HttpOnly', 'SameSite=Lax'];
  if (isHttps) parts.push('Secure');
  if (maxAgeS !== undefined) parts.push(`Max-Age=${maxAgeS}`);
  return parts.join('; ');
}
