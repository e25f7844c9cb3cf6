// Cookies of the web interface. Over HTTPS most names have the `__Host-` prefix, which binds a cookie to this host.

import { getCookie, setCookie } from 'hono/cookie';
import type { Language } from '../../platform/text/language.ts';
import type { UserId } from '../ids.ts';
import type { BegunSession } from '../sessions/begin-session.ts';
import { DEVICE_MS, type DeviceCookie, type KnownDevices } from '../sessions/known-device.ts';
import { STAY_MS } from '../sessions/web-session.ts';
import { isPaper, type Paper } from '../slips/paper.ts';
import type { PageContext } from './context.ts';
import type { Theme } from './theme.ts';

export const SESSION_COOKIE = 'gastpass';
const DEVICE_COOKIE = 'gastpass-device';
/** The maximum number of device cookies in a browser. Browsers limit the total size of cookies. */
const MAX_DEVICE_COOKIES = 5;
const LANGUAGE_COOKIE = 'language';
const PAPER_COOKIE = 'gastpass-paper';
const THEME_COOKIE = 'theme';
const YEAR_S = 365 * 24 * 60 * 60;

export type CookieContext = Pick<PageContext, 'hono' | 'request'>;

export function readCookie({ hono, request }: CookieContext, name: string): string | undefined {
  return request.isHttps() ? getCookie(hono, name, 'host') : getCookie(hono, name);
}

/** The Cookie header of the request. If `sessionToken` is given, it replaces the token in the session cookie. */
export function cookieHeader({ hono, request }: CookieContext, sessionToken?: string): string {
  const name = request.isHttps() ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
  const cookies = { ...getCookie(hono), ...(sessionToken && { [name]: sessionToken }) };
  return Object.entries(cookies)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('; ');
}

/** `maxAge` is in seconds. Without `maxAge` the cookie lasts until the browser is closed. */
export function writeCookie(
  { hono, request }: CookieContext,
  { name, value, ...options }: { name: string; value: string; maxAge?: number },
): void {
  setCookie(hono, name, value, {
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    ...(request.isHttps() && { prefix: 'host', secure: true }),
    ...options,
  });
}

/** The name of the device cookie. Each user has a separate cookie, because several users may share a browser. */
export function deviceCookieOf(userId: UserId): string {
  return `${DEVICE_COOKIE}-${userId}`;
}

export function writeSessionCookie(
  context: CookieContext,
  { token, stays }: Pick<BegunSession, 'token' | 'stays'>,
): void {
  writeCookie(context, { name: SESSION_COOKIE, value: token, ...(stays && { maxAge: STAY_MS / 1000 }) });
}

/** Writes the device cookie of a user. Deletes the oldest device cookies of other users if there are too many. */
export function writeDeviceCookie(
  context: CookieContext,
  { userId, cookie }: DeviceCookie,
  issuedAtMs: KnownDevices['issuedAtMs'],
): void {
  const name = deviceCookieOf(userId);
  const prefix = context.request.isHttps() ? '__Host-' : '';
  const others = Object.entries(getCookie(context.hono))
    .filter(([other]) => other.startsWith(`${prefix}${DEVICE_COOKIE}-`))
    .map(([other, value]) => ({ name: other.slice(prefix.length), atMs: issuedAtMs(value) ?? 0 }))
    .filter((other) => other.name !== name)
    .sort((one, other) => other.atMs - one.atMs);
  for (const { name: old } of others.slice(MAX_DEVICE_COOKIES - 1))
    writeCookie(context, { name: old, value: '', maxAge: 0 });
  writeCookie(context, { name, value: cookie, maxAge: DEVICE_MS / 1000 });
}

export function readLanguageCookie({ hono }: CookieContext): string | undefined {
  return getCookie(hono, LANGUAGE_COOKIE);
}

export function writeLanguageCookie(context: CookieContext, language: Language): void {
  writeChoice(context, LANGUAGE_COOKIE, language);
}

export function readThemeCookie({ hono }: CookieContext): string | undefined {
  return getCookie(hono, THEME_COOKIE);
}

export function writeThemeCookie(context: CookieContext, theme: Theme): void {
  writeChoice(context, THEME_COOKIE, theme);
}

/** Writes a cookie that holds no secret. Its name has no `__Host-` prefix, so it is the same over HTTP and HTTPS. */
function writeChoice({ hono, request }: CookieContext, name: string, value: string): void {
  const secure = request.isHttps();
  setCookie(hono, name, value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: YEAR_S });
}

/** Returns the paper named in the URL and stores it in a cookie. Otherwise returns the paper in the cookie, or A4. */
export function choosePaper(context: CookieContext & Pick<PageContext, 'query'>): Paper {
  const chosen = context.query.get('paper');
  const kept = readCookie(context, PAPER_COOKIE);
  if (isPaper(chosen) && chosen !== kept)
    writeCookie(context, { name: PAPER_COOKIE, value: chosen, maxAge: YEAR_S });
  if (isPaper(chosen)) return chosen;
  return isPaper(kept) ? kept : 'a4';
}
