// Cookies of the web interface. Over HTTPS their names have the `__Host-` prefix, which binds a cookie to this host.

import type { IncomingHttpHeaders } from 'node:http';

export interface CookieOptions {
  name: string;
  value: string;
  isHttps: boolean;
  /** Without it the cookie lasts until the browser is closed. */
  maxAgeS?: number;
}

/** The name for reading and writing the cookie: `__Host-…` over HTTPS. */
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
