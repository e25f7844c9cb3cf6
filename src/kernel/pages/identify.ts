// Makes the context of a request. Finds the user by the session cookie, chooses the language and reads the settings.

import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import type { App } from '../../app/app.ts';
import { type Screen, SEEN_EVERY_MS } from '../../features/screens/screen.ts';
import type { HttpRequest } from '../../platform/http/handler.ts';
import { hashToken } from '../../platform/secrets/token.ts';
import { languageOf } from '../../platform/texts/choose-language.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { isSessionOver, USE_NOTED_EVERY_MS } from '../sessions/web-session.ts';
import { choosePublicUrl } from '../settings/public-url.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings/settings.ts';
import { MESSAGES } from '../texts/messages.ts';
import type { User } from '../users/user.ts';
import type { PageContext, PageEnv } from './context.ts';
import {
  readCookie,
  readLanguageCookie,
  readScreenCookie,
  readThemeCookie,
  SESSION_COOKIE,
  writeCookie,
  writeScreenCookie,
  writeSessionCookie,
} from './cookies.ts';
import { makeFormToken } from './csrf.ts';
import { type ProxyUser, readProxyUser } from './proxy-user.ts';
import { themeOf } from './theme.ts';

const ANONYMOUS_COOKIE = 'gastpass-visitor';

/** A header of automatic page refreshes. Such a request does not count as activity and does not prolong the session. */
const REFRESH_HEADER = 'x-refresh';

export async function identify(hono: Context<PageEnv>): Promise<PageContext> {
  try {
    return await findUser(hono);
  } catch (error) {
    const { app, request } = hono.env;
    app.log.error({ requestId: request.id, err: error }, 'cannot read the session');
    // Fail closed: if the settings or the session cannot be read, the API documentation requires a login.
    return makeAnonymous(hono, { ...DEFAULT_SETTINGS, isApiPageOpen: false });
  }
}

/** The context of a guest page. No session is looked up, and no cookie is set. */
export async function identifyGuest(hono: Context<PageEnv>): Promise<PageContext> {
  // The page itself reads the database too, and shows the error.
  const settings = await hono.env.app.settings.read().catch(() => DEFAULT_SETTINGS);
  return { ...makeContext(hono, settings, ''), theme: 'system', formToken: '' };
}

/** The context of a page for the device of a screen. No session is looked up. Without a screen if no device is paired. */
export async function identifyScreen(hono: Context<PageEnv>): Promise<PageContext> {
  const { app, request } = hono.env;
  const context = await identifyGuest(hono);
  const secret = readScreenCookie(context);
  const screen = secret ? await app.screens.findByCookie(hashToken(secret)) : undefined;
  const site = screen && (await app.sites.find(screen.siteId));
  if (!secret || !screen || !site) return context;
  request.screenId = screen.id;
  await noteSeen(context, screen);
  // Browsers keep a cookie for a limited time. Sent again, it lasts as long as the device is used. It also makes browsers
  // forget the pages that they keep for "back", which may show the code or the name of the guest before.
  if (request.method === 'GET') writeScreenCookie(context, secret);
  return { ...context, screen, site, formToken: makeFormToken(secret) };
}

/** If the time cannot be stored, the device gets its page nevertheless. */
async function noteSeen(context: PageContext, screen: Screen): Promise<void> {
  const { app, request, nowMs } = context;
  if (screen.seenAtMs !== null && Math.abs(nowMs - screen.seenAtMs) < SEEN_EVERY_MS) return;
  const seen = { ip: request.clientIp(), agent: request.headers['user-agent'] ?? '' };
  await app.screens
    .noteSeen(screen.id, seen)
    .catch((error) =>
      app.log.warn({ requestId: request.id, err: error }, 'the screen was not noted as seen'),
    );
}

async function findUser(hono: Context<PageEnv>): Promise<PageContext> {
  const { app, request } = hono.env;
  const token = readCookie({ hono, request }, SESSION_COOKIE);
  const nowMs = app.clock.nowMs();
  const settings = hono.get('settings') ?? (await app.settings.read());
  const found = token ? await findSession(app, token, request) : undefined;
  if (!token || !found) return makeAnonymous(hono, settings);
  if (found.session.external === 'proxy' && !isVouchedFor(found.user, readProxyUser(hono.env)))
    return makeAnonymous(hono, settings);
  request.userId = found.user.id;
  const isActivity = request.headers[REFRESH_HEADER] === undefined;
  if (isActivity && nowMs - found.session.seenAtMs >= USE_NOTED_EVERY_MS) {
    await app.webSessions.noteActivity(found.session.tokenHash, { atMs: nowMs, ip: request.clientIp() });
    // With "Stay signed in", the lifetime of the cookie is extended together with the session.
    if (found.session.stays) writeSessionCookie({ hono, request }, { token, stays: true });
  }
  const problemCount = found.user.role === 'admin' ? await app.countConcerns() : 0;
  const requestBadge = await app.guestRequests.readBadge(found.user);
  return { ...makeContext(hono, settings, token), ...found, problemCount, requestBadge };
}

async function findSession({ webSessions, checkSession, clock }: App, token: string, request: HttpRequest) {
  const found = await webSessions.find(hashToken(token));
  if (!found || isSessionOver(found.session, clock.nowMs())) return undefined;
  if (!found.session.check) return found;
  const mayGoOn = await checkSession(found, { ip: request.clientIp(), requestId: request.id });
  // Read the session again, because `checkSession` may have changed the rights of the user.
  return mayGoOn ? webSessions.find(hashToken(token)) : undefined;
}

/** The context of a request without a session. Its form token is derived from a secret in an anonymous cookie. */
function makeAnonymous(hono: Context<PageEnv>, settings: Settings): PageContext {
  const cookies = { hono, request: hono.env.request };
  const known = readCookie(cookies, ANONYMOUS_COOKIE);
  const secret = known ?? randomBytes(16).toString('base64url');
  if (!known) writeCookie(cookies, { name: ANONYMOUS_COOKIE, value: secret });
  return makeContext(hono, settings, secret);
}

function makeContext(hono: Context<PageEnv>, settings: Settings, secret: string): PageContext {
  const { app, request } = hono.env;
  const language = languageOf({
    chosen: readLanguageCookie({ hono, request }),
    fromSettings: settings.language,
    accepted: request.headers['accept-language'],
  });
  const nowMs = app.clock.nowMs();
  return {
    app,
    hono,
    request,
    path: hono.req.path,
    parameters: hono.req.param(),
    query: new URLSearchParams(request.query),
    form: new URLSearchParams(),
    language,
    theme: themeOf(readThemeCookie({ hono, request })),
    messages: MESSAGES[language],
    timeZone: app.timeZone,
    settings,
    publicUrl: choosePublicUrl(app.environmentPublicUrl, settings)?.url,
    nowMs,
    nowS: toWholeSeconds(nowMs),
    formToken: makeFormToken(secret),
    problemCount: 0,
  };
}

/** True if the proxy names this user in the current request. Otherwise a session that the proxy began is not valid. */
function isVouchedFor(user: User, named: ProxyUser | undefined): boolean {
  return named?.kind === 'user' && named.email === user.email;
}
