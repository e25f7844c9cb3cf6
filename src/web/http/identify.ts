// Makes the context of a request: finds the user by the session cookie, and the language and settings of the page.

import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { type Clock, toWholeSeconds } from '../../domain/clock.ts';
import type { CountConcerns } from '../../domain/concerns/find-concerns.ts';
import type { Log } from '../../domain/log.ts';
import {
  hashToken,
  isOver,
  NOTED_EVERY_MS,
  type WebSessionStore,
} from '../../domain/sessions/web-session.ts';
import { DEFAULT_SETTINGS, type Settings, type SettingsStore } from '../../domain/settings/settings.ts';
import type { CheckSession } from '../../domain/single-sign-on/check-session.ts';
import type { User } from '../../domain/users/user.ts';
import type { HttpRequest } from '../../http/handler.ts';
import { languageOf } from '../../i18n/choose-language.ts';
import { MESSAGES } from '../../i18n/messages.ts';
import type { PageContext, PageEnv } from './context.ts';
import {
  readCookie,
  readLanguageCookie,
  readThemeCookie,
  SESSION_COOKIE,
  writeCookie,
  writeSessionCookie,
} from './cookies.ts';
import { makeFormToken } from './csrf.ts';
import type { ProxyUser, ReadProxyUser } from './proxy-user.ts';
import { themeOf } from './theme.ts';

const ANONYMOUS_COOKIE = 'gastpass-visitor';

/** Sent by pages that refresh themselves: a page that is merely open must not keep its session alive. */
const REFRESH_HEADER = 'x-refresh';

export interface IdentifyDeps {
  readProxyUser: ReadProxyUser;
  webSessions: Pick<WebSessionStore, 'find' | 'noteActivity'>;
  checkSession: CheckSession;
  settings: Pick<SettingsStore, 'read'>;
  countConcerns: CountConcerns;
  clock: Clock;
  timeZone: string;
  publicUrl: string | undefined;
  log: Log;
}

type Identify = (hono: Context<PageEnv>) => Promise<PageContext>;

export function makeIdentify(deps: IdentifyDeps): Identify {
  const {
    webSessions,
    checkSession,
    readProxyUser,
    settings,
    countConcerns,
    clock,
    timeZone,
    publicUrl,
    log,
  } = deps;
  return async function identify(hono) {
    try {
      return await findUser(hono);
    } catch (error) {
      log.error({ requestId: hono.env.request.id, err: error }, 'cannot read the session');
      // Fail closed: if the settings or the session cannot be read, the API documentation requires a login.
      return makeAnonymous(hono, { ...DEFAULT_SETTINGS, isApiPageOpen: false });
    }
  };

  async function findUser(hono: Context<PageEnv>): Promise<PageContext> {
    const token = readCookie({ hono, request: hono.env.request }, SESSION_COOKIE);
    const nowMs = clock.nowMs();
    const current = await settings.read();
    const found = token ? await findSession(token, hono.env.request) : undefined;
    if (!token || !found) return makeAnonymous(hono, current);
    if (found.session.external === 'proxy' && !isVouchedFor(found.user, readProxyUser(hono.env.request)))
      return makeAnonymous(hono, current);
    hono.env.request.userId = found.user.id;
    const { request } = hono.env;
    const isActivity = request.headers[REFRESH_HEADER] === undefined;
    if (isActivity && nowMs - found.session.seenAtMs >= NOTED_EVERY_MS) {
      await webSessions.noteActivity(found.session.tokenHash, { atMs: nowMs, ip: request.clientIp() });
      // With "Stay signed in", the browser must keep the cookie as long as the session lasts.
      if (found.session.stays) writeSessionCookie({ hono, request }, { token, stays: true });
    }
    const problemCount = found.user.role === 'admin' ? await countConcerns() : 0;
    return { ...makeContext(hono, current, token), ...found, problemCount };
  }

  async function findSession(token: string, request: HttpRequest) {
    const found = await webSessions.find(hashToken(token));
    if (!found || isOver(found.session, clock.nowMs())) return undefined;
    if (!found.session.check) return found;
    const mayGoOn = await checkSession(found, { ip: request.clientIp(), requestId: request.id });
    // Read again: the provider may have changed the rights of the user.
    return mayGoOn ? webSessions.find(hashToken(token)) : undefined;
  }

  /** Without a session, an anonymous cookie holds the secret that the form token is derived from. */
  function makeAnonymous(hono: Context<PageEnv>, current: Settings): PageContext {
    const cookies = { hono, request: hono.env.request };
    const known = readCookie(cookies, ANONYMOUS_COOKIE);
    const secret = known ?? randomBytes(16).toString('base64url');
    if (!known) writeCookie(cookies, { name: ANONYMOUS_COOKIE, value: secret });
    return makeContext(hono, current, secret);
  }

  function makeContext(hono: Context<PageEnv>, current: Settings, secret: string): PageContext {
    const { request } = hono.env;
    const language = languageOf({
      chosen: readLanguageCookie({ hono, request }),
      fromSettings: current.language,
      accepted: request.headers['accept-language'],
    });
    const nowMs = clock.nowMs();
    return {
      hono,
      request,
      path: hono.req.path,
      parameters: hono.req.param(),
      query: new URLSearchParams(request.query),
      form: new URLSearchParams(),
      language,
      theme: themeOf(readThemeCookie({ hono, request })),
      messages: MESSAGES[language],
      timeZone,
      settings: current,
      publicUrl,
      nowMs,
      nowS: toWholeSeconds(nowMs),
      formToken: makeFormToken(secret),
      problemCount: 0,
    };
  }
}

/** A session that a proxy began is valid only for requests in which the proxy names the same user. */
function isVouchedFor(user: User, named: ProxyUser | undefined): boolean {
  return named?.kind === 'user' && named.email === user.email;
}
