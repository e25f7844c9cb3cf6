// What stands in front of every page: who is it, may they, does the form come from us. Then the page runs.
// Whatever goes wrong becomes a page too.

import { randomBytes } from 'node:crypto';
import { type Clock, toWholeSeconds } from '../domain/clock.ts';
import { DatabaseUnavailable } from '../domain/database-unavailable.ts';
import { FIRST_HOUSE, type House, type HouseStore } from '../domain/house.ts';
import type { Log } from '../domain/log.ts';
import { isSecondFactorRequired, type SecondFactorStore } from '../domain/users/second-factor.ts';
import type { SentForms } from '../domain/users/sent-forms.ts';
import { hashToken, isOver, NOTED_EVERY_MS, type WebSessionStore } from '../domain/users/web-session.ts';
import type { Answer, Request } from '../http/exchange.ts';
import { CallerGone } from '../http/read-body.ts';
import { findAsset } from './assets.ts';
import { cookieName, readCookie, setCookie } from './cookies.ts';
import { isFormToken, isFromOurPages, makeFormToken } from './csrf.ts';
import { type Html, html } from './html.ts';
import { LANGUAGES, languageOf } from './language.ts';
import { answerPage, redirect } from './layout.ts';
import { readMultipart, type SentForm } from './read-multipart.ts';
import { findRoutes, type Match, type Route } from './routes.ts';
import type { UserVisit, Visit } from './visit.ts';

export const SESSION_COOKIE = 'gastpass';
const VISITOR_COOKIE = 'gastpass-visitor';
/** The heaviest picture and what stands around it. */
const MOST_UPLOAD_BYTES = 300_000;
const SET_UP_FACTOR = '/account/second-factor/new';

interface Needs {
  routes: Route[];
  webSessions: Pick<WebSessionStore, 'find' | 'noteVisit'>;
  sentForms: Pick<SentForms, 'take' | 'free'>;
  secondFactors: Pick<SecondFactorStore, 'has'>;
  house: Pick<HouseStore, 'read'>;
  clock: Clock;
  timeZone: string;
  log: Log;
}

/** Undefined for a path that is none of ours. */
export type AnswerVisit = (request: Request, path: string) => Answer | Promise<Answer> | undefined;

export function makeAnswerVisit(needs: Needs): AnswerVisit {
  const { routes, webSessions, sentForms, secondFactors, house, clock, timeZone, log } = needs;
  return function answerVisit(request, path) {
    const asset = findAsset(path, request.headers);
    if (asset) return asset;
    const matches = findRoutes(routes, path);
    // Programs get their answer in JSON.
    const isPage = matches.length > 0 || (request.headers.accept ?? '').includes('text/html');
    return isPage ? answerPageOf(request, path, matches) : undefined;
  };

  async function answerPageOf(request: Request, path: string, matches: Match[]): Promise<Answer> {
    const { visit, secret, headers } = await recognise(request, path).catch((error) =>
      recogniseNobody(request, path, error),
    );
    const answer = await answerSafely(visit, secret, matches);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }

  async function answerSafely(visit: Visit, secret: string, matches: Match[]): Promise<Answer> {
    const { words, request } = visit;
    try {
      return await runRoute(visit, secret, matches);
    } catch (error) {
      if (error instanceof CallerGone) throw error;
      log.error({ requestId: request.id, err: error }, 'page failed');
      return error instanceof DatabaseUnavailable
        ? problemPage(visit, 503, words.problem.database)
        : problemPage(visit, 500, `${words.problem.server} ${request.id}`);
    }
  }

  async function runRoute(visit: Visit, secret: string, matches: Match[]): Promise<Answer> {
    const { request, words } = visit;
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    if (matches.length === 0) return problemPage(visit, 404, words.problem.notFound);
    const match = matches.find(({ route }) => route.method === method);
    if (!match)
      return problemPage(visit, 405, words.problem.method, {
        allow: matches.map(({ route }) => route.method).join(', '),
      });

    const { route, parameters } = match;
    const isOpen = route.access === 'anyone' || (route.access === 'reader' && visit.house.isApiPageOpen);
    if (!isOpen && !visit.user) return redirect(withWayBack('/login', visit, method));
    if (!isOpen && route.access !== 'newcomer' && (await owesSecondFactor(visit)))
      return redirect(withWayBack(SET_UP_FACTOR, visit, method));
    if (route.access === 'admin' && visit.user?.role !== 'admin')
      return problemPage(visit, 403, words.problem.forbidden);
    let sent: SentForm = { fields: new URLSearchParams() };
    if (method === 'POST') {
      if (!isFromOurPages(request.headers)) return problemPage(visit, 403, words.problem.form);
      const body = await request.readBody(route.takesFile && MOST_UPLOAD_BYTES);
      if (!body.ok)
        return problemPage(
          visit,
          413,
          route.takesFile ? words.logo.faults['too-heavy'] : words.problem.tooLarge,
        );
      sent = readForm(request, body.value, route);
      if (!isFormToken(sent.fields.get('token'), secret)) return problemPage(visit, 403, words.problem.form);
    }
    const { fields: form, ...upload } = sent;
    const complete = { ...visit, parameters, form, ...upload };
    return onlyOnce(complete, async () => {
      if (route.access === 'anyone' || route.access === 'reader') return route.run(complete);
      return isSignedIn(complete) ? route.run(complete) : redirect('/login');
    });
  }

  /** Whoever is required to have one and does not: gets no further, also in a session that is open already. */
  async function owesSecondFactor({ user, house: decided }: Visit): Promise<boolean> {
    return user !== undefined && isSecondFactorRequired(decided, user) && !(await secondFactors.has(user.id));
  }

  /** A form that may be sent only once is free again when nothing came of it. */
  async function onlyOnce(visit: Visit, run: () => Promise<Answer>): Promise<Answer> {
    const id = visit.form.get('once');
    // Of those who are not signed in anybody could send any number, to fill the database.
    if (!id || !visit.user) return run();
    if (!(await sentForms.take(hashToken(id), visit.nowMs)))
      return problemPage(visit, 409, visit.words.problem.sentAlready);
    let answer: Answer | undefined;
    try {
      answer = await run();
      return answer;
    } finally {
      if (!answer || answer.status >= 400) await sentForms.free(hashToken(id));
    }
  }

  async function recognise(request: Request, path: string) {
    const token = readCookie(request.headers, cookieName(SESSION_COOKIE, request.isHttps()));
    const nowMs = clock.nowMs();
    const decided = await house.read();
    const found = token ? await webSessions.find(hashToken(token)) : undefined;
    if (!token || !found || isOver(found.session, nowMs)) return recogniseVisitor(request, path, decided);
    if (nowMs - found.session.seenAtMs >= NOTED_EVERY_MS)
      await webSessions.noteVisit(found.session.tokenHash, nowMs);
    return { visit: { ...toVisit(request, path, token, decided), ...found }, secret: token, headers: {} };
  }

  /** Somebody without a session has a cookie that their forms are bound to. */
  function recogniseVisitor(request: Request, path: string, decided: House) {
    const isHttps = request.isHttps();
    const known = readCookie(request.headers, cookieName(VISITOR_COOKIE, isHttps));
    const secret = known ?? randomBytes(16).toString('base64url');
    const cookie = setCookie({ name: VISITOR_COOKIE, value: secret, isHttps });
    const headers: Record<string, string> = known ? {} : { 'set-cookie': cookie };
    return { visit: toVisit(request, path, secret, decided), secret, headers };
  }

  function recogniseNobody(request: Request, path: string, error: unknown) {
    log.error({ requestId: request.id, err: error }, 'cannot tell who is visiting');
    // What cannot be asked is not taken for open.
    return recogniseVisitor(request, path, { ...FIRST_HOUSE, isApiPageOpen: false });
  }

  function toVisit(request: Request, path: string, secret: string, decided: House): Visit {
    const language = languageOf(request.headers, decided.language);
    const nowMs = clock.nowMs();
    return {
      request,
      path,
      parameters: {},
      query: new URLSearchParams(request.query),
      form: new URLSearchParams(),
      language,
      words: LANGUAGES[language],
      timeZone,
      house: decided,
      nowMs,
      nowS: toWholeSeconds(nowMs),
      formToken: makeFormToken(secret),
    };
  }
}

/** What cannot be read is a form without anything in it, so without our token too. */
function readForm({ headers }: Request, body: Buffer, { takesFile }: Route): SentForm {
  const type = headers['content-type'] ?? '';
  if (takesFile && type.startsWith('multipart/'))
    return readMultipart(type, body) ?? { fields: new URLSearchParams() };
  return { fields: new URLSearchParams(body.toString('utf8')) };
}

function isSignedIn(visit: Visit): visit is UserVisit {
  return visit.user !== undefined && visit.session !== undefined;
}

/** And back to where they wanted to go. */
function withWayBack(door: string, { path, request }: Visit, method: string): string {
  if (method !== 'GET' || path === '/') return door;
  return `${door}?next=${encodeURIComponent(request.query ? `${path}?${request.query}` : path)}`;
}

export function problemPage(
  visit: Visit,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): Answer {
  return answerPage(visit, {
    title: text,
    status,
    headers,
    content: html`<section class="card"><h1>${text}</h1><p class="actions">${cameFrom(visit)}<a class="button" href="/">${visit.words.problem.home}</a></p></section>`,
  });
}

/** The page of ours that they came from, unless it is this one. */
function cameFrom({ request, path, words }: Visit): Html | false {
  const from = URL.parse(request.headers.referer ?? '');
  if (!from || from.host !== request.headers.host) return false;
  if (from.pathname === path || from.pathname.startsWith('//')) return false;
  return html`<a class="button primary" href="${from.pathname}${from.search}">${words.problem.back}</a>`;
}
