// Runs before every page: identifies the user, checks access and CSRF protection, then calls the page's handler.
// Errors are shown as a page too.

import { randomBytes } from 'node:crypto';
import { type Clock, toWholeSeconds } from '../../domain/clock.ts';
import { DatabaseUnavailable } from '../../domain/database-unavailable.ts';
import type { Log } from '../../domain/log.ts';
import type { OneTimeFormStore } from '../../domain/sessions/one-time-forms.ts';
import {
  hashToken,
  isOver,
  NOTED_EVERY_MS,
  type WebSessionStore,
} from '../../domain/sessions/web-session.ts';
import { DEFAULT_SETTINGS, type Settings, type SettingsStore } from '../../domain/settings/settings.ts';
import { isSecondFactorRequired, type SecondFactorStore } from '../../domain/users/second-factor.ts';
import type { HttpRequest, HttpResponse } from '../../http/handler.ts';
import { CallerGone } from '../../http/read-body.ts';
import { LANGUAGES, languageOf } from '../i18n/language.ts';
import { type Html, html } from '../ui/html.ts';
import { redirect, renderPage } from '../ui/layout.ts';
import { findAsset } from './assets.ts';
import type { AuthenticatedContext, PageContext } from './context.ts';
import { cookieName, readCookie, setCookie } from './cookies.ts';
import { isFormToken, isFromOurPages, makeFormToken } from './csrf.ts';
import { readMultipart, type SentForm } from './read-multipart.ts';
import { findRoutes, type Match, type Route } from './routes.ts';

export const SESSION_COOKIE = 'gastpass';
const ANONYMOUS_COOKIE = 'gastpass-visitor';
/** The largest image plus the multipart form around it. */
const MAX_UPLOAD_BYTES = 300_000;
const SET_UP_FACTOR = '/account/second-factor/new';

interface Deps {
  routes: Route[];
  webSessions: Pick<WebSessionStore, 'find' | 'noteActivity'>;
  oneTimeForms: Pick<OneTimeFormStore, 'take' | 'free'>;
  secondFactors: Pick<SecondFactorStore, 'has'>;
  settings: Pick<SettingsStore, 'read'>;
  clock: Clock;
  timeZone: string;
  log: Log;
}

/** Returns undefined for an unknown path, unless the client accepts HTML and gets a 404 page. */
export type PageHandler = (
  request: HttpRequest,
  path: string,
) => HttpResponse | Promise<HttpResponse> | undefined;

export function makePageHandler(deps: Deps): PageHandler {
  const { routes, webSessions, oneTimeForms, secondFactors, settings, clock, timeZone, log } = deps;
  return function handlePage(request, path) {
    const asset = findAsset(path, request.headers);
    if (asset) return asset;
    const matches = findRoutes(routes, path);
    // A client that does not accept HTML gets its 404 as JSON, from another handler.
    const isPage = matches.length > 0 || (request.headers.accept ?? '').includes('text/html');
    return isPage ? handleRequest(request, path, matches) : undefined;
  };

  async function handleRequest(request: HttpRequest, path: string, matches: Match[]): Promise<HttpResponse> {
    const { context, secret, headers } = await recognise(request, path).catch((error) =>
      recogniseNobody(request, path, error),
    );
    const answer = await handleSafely(context, secret, matches);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  async function handleSafely(context: PageContext, secret: string, matches: Match[]): Promise<HttpResponse> {
    const { messages, request } = context;
    try {
      return await runRoute(context, secret, matches);
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      log.error({ requestId: request.id, err: error }, 'page failed');
      return error instanceof DatabaseUnavailable
        ? problemPage(context, 503, messages.problem.database)
        : problemPage(context, 500, `${messages.problem.server} ${request.id}`);
    }
  }

  async function runRoute(context: PageContext, secret: string, matches: Match[]): Promise<HttpResponse> {
    const { request, messages } = context;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (matches.length === 0) return problemPage(context, 404, messages.problem.notFound);
    const match = matches.find(({ route }) => route.method === method);
    if (!match)
      return problemPage(context, 405, messages.problem.method, {
        allow: matches.map(({ route }) => route.method).join(', '),
      });

    const { route, parameters } = match;
    const isOpen = route.access === 'anyone' || (route.access === 'reader' && context.settings.isApiPageOpen);
    if (!isOpen && !context.user) return redirect(withWayBack('/login', context, method));
    if (!isOpen && route.access !== 'newcomer' && (await owesSecondFactor(context)))
      return redirect(withWayBack(SET_UP_FACTOR, context, method));
    if (route.access === 'admin' && context.user?.role !== 'admin')
      return problemPage(context, 403, messages.problem.forbidden);
    let sent: SentForm = { fields: new URLSearchParams() };
    if (method === 'POST') {
      if (!isFromOurPages(request.headers)) return problemPage(context, 403, messages.problem.form);
      const body = await request.readBody(route.takesFile && MAX_UPLOAD_BYTES);
      if (!body.ok)
        return problemPage(
          context,
          413,
          route.takesFile ? messages.logo.issues['too-heavy'] : messages.problem.tooLarge,
        );
      sent = readForm(request, body.value, route);
      if (!isFormToken(sent.fields.get('token'), secret))
        return problemPage(context, 403, messages.problem.form);
    }
    const { fields: form, ...upload } = sent;
    const complete = { ...context, parameters, form, ...upload };
    return withOneTimeToken(complete, async () => {
      if (route.access === 'anyone' || route.access === 'reader') return route.run(complete);
      return isSignedIn(complete) ? route.run(complete) : redirect('/login');
    });
  }

  /** True if the user must have a second factor and has none. This also blocks sessions that are already open. */
  async function owesSecondFactor({ user, settings: decided }: PageContext): Promise<boolean> {
    return user !== undefined && isSecondFactorRequired(decided, user) && !(await secondFactors.has(user.id));
  }

  /** Accepts a one-time form token once. If the request fails, the token is released and the form can be sent again. */
  async function withOneTimeToken(
    context: PageContext,
    run: () => Promise<HttpResponse>,
  ): Promise<HttpResponse> {
    const id = context.form.get('once');
    // Tokens are stored only for signed-in users: anonymous requests could fill the database with them.
    if (!id || !context.user) return run();
    if (!(await oneTimeForms.take(hashToken(id), context.nowMs)))
      return problemPage(context, 409, context.messages.problem.sentAlready);
    let answer: HttpResponse | undefined;
    try {
      answer = await run();
      return answer;
    } finally {
      if (!answer || answer.status >= 400) await oneTimeForms.free(hashToken(id));
    }
  }

  async function recognise(request: HttpRequest, path: string) {
    const token = readCookie(request.headers, cookieName(SESSION_COOKIE, request.isHttps()));
    const nowMs = clock.nowMs();
    const decided = await settings.read();
    const found = token ? await webSessions.find(hashToken(token)) : undefined;
    if (!token || !found || isOver(found.session, nowMs)) return recogniseAnonymous(request, path, decided);
    if (nowMs - found.session.seenAtMs >= NOTED_EVERY_MS)
      await webSessions.noteActivity(found.session.tokenHash, nowMs);
    return {
      context: { ...makeContext(request, path, token, decided), ...found },
      secret: token,
      headers: {},
    };
  }

  /** Without a session, an anonymous cookie holds the secret that the form token is derived from. */
  function recogniseAnonymous(request: HttpRequest, path: string, decided: Settings) {
    const isHttps = request.isHttps();
    const known = readCookie(request.headers, cookieName(ANONYMOUS_COOKIE, isHttps));
    const secret = known ?? randomBytes(16).toString('base64url');
    const cookie = setCookie({ name: ANONYMOUS_COOKIE, value: secret, isHttps });
    const headers: Record<string, string> = known ? {} : { 'set-cookie': cookie };
    return { context: makeContext(request, path, secret, decided), secret, headers };
  }

  function recogniseNobody(request: HttpRequest, path: string, error: unknown) {
    log.error({ requestId: request.id, err: error }, 'cannot read the session');
    // Fail closed: if the settings or the session cannot be read, the API documentation requires a login.
    return recogniseAnonymous(request, path, { ...DEFAULT_SETTINGS, isApiPageOpen: false });
  }

  function makeContext(request: HttpRequest, path: string, secret: string, decided: Settings): PageContext {
    const language = languageOf(request.headers, decided.language);
    const nowMs = clock.nowMs();
    return {
      request,
      path,
      parameters: {},
      query: new URLSearchParams(request.query),
      form: new URLSearchParams(),
      language,
      messages: LANGUAGES[language],
      timeZone,
      settings: decided,
      nowMs,
      nowS: toWholeSeconds(nowMs),
      formToken: makeFormToken(secret),
    };
  }
}

/** A form that cannot be parsed is treated as empty. It then has no CSRF token either, so the request is rejected. */
function readForm({ headers }: HttpRequest, body: Buffer, { takesFile }: Route): SentForm {
  const type = headers['content-type'] ?? '';
  if (takesFile && type.startsWith('multipart/'))
    return readMultipart(type, body) ?? { fields: new URLSearchParams() };
  return { fields: new URLSearchParams(body.toString('utf8')) };
}

function isSignedIn(context: PageContext): context is AuthenticatedContext {
  return context.user !== undefined && context.session !== undefined;
}

/** Adds the requested page as `next`, so that the user returns there afterwards. */
function withWayBack(door: string, { path, request }: PageContext, method: string): string {
  if (method !== 'GET' || path === '/') return door;
  return `${door}?next=${encodeURIComponent(request.query ? `${path}?${request.query}` : path)}`;
}

export function problemPage(
  context: PageContext,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): HttpResponse {
  return renderPage(context, {
    title: text,
    status,
    headers,
    content: html`<section class="card"><h1>${text}</h1><p class="actions">${cameFrom(context)}<a class="button" href="/">${context.messages.problem.home}</a></p></section>`,
  });
}

/** A link to the referring page, if it is one of our pages and not the current one. */
function cameFrom({ request, path, messages }: PageContext): Html | false {
  const from = URL.parse(request.headers.referer ?? '');
  if (!from || from.host !== request.headers.host) return false;
  if (from.pathname === path || from.pathname.startsWith('//')) return false;
  return html`<a class="button primary" href="${from.pathname}${from.search}">${messages.problem.back}</a>`;
}
