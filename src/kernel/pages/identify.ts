// Makes the context of a request. Finds the user by the session cookie, chooses the language and reads the settings.

import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { hashToken } from '../../platform/secrets/token.ts';
import { languageOf } from '../../platform/texts/choose-language.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { isSessionOver, USE_NOTED_EVERY_MS } from '../sessions/web-session.ts';
import { choosePublicUrl } from '../settings/public-url.ts';
import { DEFAULT_SETTINGS, type Settings } from '../settings/settings.ts';
import { MESSAGES } from '../texts/messages.ts';
import type { User } from '../users/user.ts';
import { type AuthenticatedContext, loginProviderOf, type PageContext, type PageEnv } from './context.ts';
import {
  readCookie,
  readLanguageCookie,
  readThemeCookie,
  SESSION_COOKIE,
  writeCookie,
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

async function findUser(hono: Context<PageEnv>): Promise<PageContext> {
  const { app, request } = hono.env;
  const token = readCookie({ hono, request }, SESSION_COOKIE);
  const nowMs = app.clock.nowMs();
  const settings = hono.get('settings') ?? (await app.settings.read());
  const found = token ? await findSession(hono.env, token) : undefined;
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
  let context: AuthenticatedContext = { ...makeContext(hono, settings, token), ...found, problemCount };
  for (const { readForUser } of context.slots) context = { ...context, ...(await readForUser?.(context)) };
  return context;
}

async function findSession({ app, slots, request }: PageEnv['Bindings'], token: string) {
  const { webSessions, clock } = app;
  const found = await webSessions.find(hashToken(token));
  if (!found || isSessionOver(found.session, clock.nowMs())) return undefined;
  const provider = loginProviderOf({ slots });
  if (!found.session.check || !provider) return found;
  const mayGoOn = await provider.checkSession(app, found, { ip: request.clientIp(), requestId: request.id });
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
  const { app, slots, request } = hono.env;
  const language = languageOf({
    chosen: readLanguageCookie({ hono, request }),
    fromSettings: settings.language,
    accepted: request.headers['accept-language'],
  });
  const nowMs = app.clock.nowMs();
  return {
    app,
    slots,
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
