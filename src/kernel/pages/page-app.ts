// The web interface as a Hono app. Every route finds the user and checks access. POST routes then check the origin,
// the body size and the CSRF token. Errors are shown as a page. The response is JSON in two cases: for an unknown path
// if the client does not accept HTML, and for an error outside the Hono app.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { App } from '../../app/app.ts';
import { GUEST_PATH } from '../../features/guest-pages/guest-link.ts';
import { REQUEST_PATH } from '../../features/requests/guest-request.ts';
import { SCREEN_PATH } from '../../features/screens/screen.ts';
import { type HttpRequest, problemResponse } from '../../platform/http/handler.ts';
import { CallerGone } from '../../platform/http/read-body.ts';
import { ASSETS } from '../../platform/pages/assets.ts';
import { UnstorableText } from '../../platform/text/storable-text.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { INVITATION_PATH } from '../users/invitations.ts';
import { isSecondFactorRequired } from '../users/second-factor.ts';
import type { AuthenticatedContext, PageContext, PageEnv, ScreenContext } from './context.ts';
import { checkOrigin, isFormOfEndedSession, type PageOf, readForm, withOneTimeToken } from './form-checks.ts';
import { formPageOf } from './form-problem.ts';
import { identify, identifyGuest, identifyScreen } from './identify.ts';
import { redirect } from './layout.ts';
import { notFoundPage, problemPage } from './problem-page.ts';
import { redirectToPublicUrl } from './public-url.ts';
import type { Route } from './route.ts';

/** Half a year. */
const HSTS = 'max-age=15552000';
const SETUP_FACTOR = '/account/second-factor/new';

/** `false` turns off a header that pages do not need. HSTS is off because `requireHttps` sends it, over HTTPS only. */
const HEADERS = {
  xFrameOptions: 'DENY',
  referrerPolicy: 'same-origin',
  strictTransportSecurity: false,
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
};

interface Pages {
  routes: Route[];
  /** Serves all paths below REQUEST_PATH, for all methods. */
  serveRequestPage: (context: PageContext) => Promise<Response>;
  /** Serves all paths below GUEST_PATH, for all methods. */
  serveGuestPage: (context: PageContext) => Promise<Response>;
  showSessionEnded: ShowSessionEnded;
  /** Responds on the paths of screens to a device that is not paired. */
  serveUnpaired: (context: PageContext) => Promise<Response>;
  /** The page that a screen shows instead, and that leads back by itself. */
  screenProblem: ScreenProblem;
}

type ScreenProblem = (context: PageContext, status: 400 | 500 | 503) => Response;

/** Shows the login page and keeps the submitted form. */
type ShowSessionEnded = (context: PageContext, formPage: string) => Promise<Response>;

type PageMiddleware = MiddlewareHandler<PageEnv>;

/** Handles a request to the web interface and writes the response. */
export type ServePage = (
  message: IncomingMessage,
  response: ServerResponse,
  request: HttpRequest,
) => Promise<void>;

export function makeServePage(app: App, pages: Pages): ServePage {
  const hono = makeHono(app, pages);
  const requests = new WeakMap<object, HttpRequest>();
  const listener = getRequestListener(
    (request, env) => fetchPage(request, env, requests.get(env.incoming)),
    // With `autoCleanupIncoming`, @hono/node-server would close the connection while the browser is still sending a
    // file that is too large, so the browser would not show the error page. Node itself discards unread bodies.
    { hostname: 'localhost', autoCleanupIncoming: false, errorHandler: handleUnexpected },
  );
  return async (message, response, request) => {
    requests.set(message, request);
    await listener(message, response);
  };

  /** Passes the request to the Hono app. Logs errors that the app does not handle, with the id of the request. */
  async function fetchPage(request: Request, env: object, own: HttpRequest | undefined): Promise<Response> {
    try {
      return await hono.fetch(request, { ...env, app, request: own, fetchPage: hono.fetch });
    } catch (error) {
      if (!(error instanceof CallerGone)) app.log.error({ requestId: own?.id, err: error }, 'page failed');
      throw error;
    }
  }
}

function makeHono(app: App, pages: Pages): Hono<PageEnv> {
  const { routes, serveGuestPage, serveRequestPage, showSessionEnded, serveUnpaired, screenProblem } = pages;
  const hono = new Hono<PageEnv>();
  hono.use(`${INVITATION_PATH}/*`, hidePath);
  hono.use(`${GUEST_PATH}/*`, hideGuestPath);
  hono.use(`${REQUEST_PATH}/*`, hidePath, hideFromSearch);
  hono.use(secureHeaders(HEADERS));
  hono.use(requireHttps);
  hono.use(closeWhileDraining);
  for (const { path, serve } of ASSETS) hono.get(path, noteRoute('/assets'), serve);
  hono.use(redirectToPublicUrl(app));
  hono.all(`${GUEST_PATH}/*`, noteRoute(`${GUEST_PATH}/:token`), setGuestContext, (c) =>
    serveGuestPage(c.get('context')),
  );
  hono.all(`${REQUEST_PATH}/*`, noteRoute(`${REQUEST_PATH}/:token`), setGuestContext, (c) =>
    serveRequestPage(c.get('context')),
  );
  const ordered = literalPathsFirst(routes);
  const formPages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const route of ordered) {
    const pageOf = (context: PageContext) => formPageOf(route, context, formPages);
    const respond = (context: PageContext) => run(route, context, serveUnpaired);
    const formChecks = [checkOrigin(pageOf), readForm(route, pageOf)];
    hono.on(
      route.method,
      route.path,
      noteRoute(route.path),
      contextOf(route),
      requirePermission(route, pageOf, showSessionEnded),
      ...(route.method === 'POST' ? formChecks : []),
      (c) =>
        route.checksOneTimeToken
          ? respond(c.get('context'))
          : withOneTimeToken(c.get('context'), { pageOf, respond }),
    );
  }
  for (const [path, { route, methods }] of methodsByPath(ordered))
    hono.all(path, noteRoute(path), contextOf(route), (c) => {
      const context = c.get('context');
      // If the browser opens the URL of a POST form with GET, for example from its history, show the page of the form.
      if (!methods.includes('GET') && ['GET', 'HEAD'].includes(c.req.method) && acceptsHtml(c))
        return redirect(context, formPageOf(route, context, formPages), 'formNotSent');
      return problemPage(context, 405, context.messages.problem.method, { allow: methods.join(', ') });
    });
  hono.notFound(showNotFound);
  hono.onError((error, c) => showError(error, c, screenProblem));
  return hono;
}

/**
 * Keeps the path out of the Referer header, because the path contains a secret. The stricter policy
 * `no-referrer` is not possible: browsers would send `Origin: null` with the form, and the CSRF check would refuse it.
 */
async function hidePath(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  c.header('referrer-policy', 'strict-origin');
}

async function hideFromSearch(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  c.header('x-robots-tag', 'noindex, nofollow, noarchive');
}

/** Guest pages have no form, so the path can be kept out of every Referer header. Search engines must not list them. */
async function hideGuestPath(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  c.header('referrer-policy', 'no-referrer');
  c.header('x-robots-tag', 'noindex, nofollow, noarchive');
}

async function requireHttps(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  if (c.env.request.isHttps()) c.header('strict-transport-security', HSTS);
}

async function closeWhileDraining(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  if (c.env.app.isDraining()) c.header('connection', 'close');
}

async function setContext(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  c.set('context', await identify(c));
  await next();
}

async function setScreenContext(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  c.set('context', await identifyScreen(c));
  await next();
}

function contextOf({ permission }: Route): PageMiddleware {
  return permission === 'screen' ? setScreenContext : setContext;
}

async function setGuestContext(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  c.set('context', await identifyGuest(c));
  await next();
}

function requirePermission(route: Route, pageOf: PageOf, showSessionEnded: ShowSessionEnded): PageMiddleware {
  const { permission, method } = route;
  return async (c, next) => {
    const context = c.get('context');
    const isOpen =
      permission === 'anyone' ||
      permission === 'screen' ||
      (permission === 'reader' && context.settings.isApiPageOpen);
    if (!isOpen && !context.user)
      return (await isFormOfEndedSession(context, route))
        ? showSessionEnded(context, pageOf(context))
        : redirect(context, withWayBack('/login', context, method));
    if (!isOpen && context.user?.role === UNKNOWN && route.path !== '/logout')
      return problemPage(context, 403, context.messages.problem.roleNotKnown);
    if (!isOpen && permission !== 'newcomer' && (await owesSecondFactor(context)))
      return redirect(context, withWayBack(SETUP_FACTOR, context, method));
    if (permission === 'admin' && context.user?.role !== 'admin')
      return problemPage(context, 403, context.messages.problem.forbidden);
    return next();
  };
}

/**
 * True if the user must have a second factor and has none. Users whom an identity provider or a proxy has authenticated
 * need none here.
 */
async function owesSecondFactor({ app, user, session, settings }: PageContext): Promise<boolean> {
  if (!user || !session || !isSecondFactorRequired(settings, user)) return false;
  return session.external === null && !(await app.secondFactors.has(user.id));
}

/** A client that does not accept HTML gets its 404 as JSON. */
async function showNotFound(c: Context<PageEnv>): Promise<Response> {
  if (acceptsHtml(c)) {
    // The page for unknown paths has a link to the login, which a guest at a screen must not find.
    if (c.req.path.startsWith(`${SCREEN_PATH}/`)) return redirect(await identifyGuest(c), SCREEN_PATH);
    const context = await identify(c);
    return notFoundPage(context);
  }
  const { body, headers } = problemResponse({ kind: 'path-unknown' });
  return c.body(String(body), 404, headers);
}

/** Responds to errors outside the Hono app, such as a URL that cannot be parsed. A disconnected client gets nothing. */
function handleUnexpected(error: unknown): Response | undefined {
  if (error instanceof CallerGone) return undefined;
  const kind = error instanceof RequestError ? 'unreadable' : 'unavailable';
  const { status, headers, body } = problemResponse({ kind });
  return new Response(String(body), { status, headers });
}

async function showError(error: Error, c: Context<PageEnv>, screenProblem: ScreenProblem): Promise<Response> {
  if (error instanceof CallerGone) throw error;
  const isScreen = c.req.path === SCREEN_PATH || c.req.path.startsWith(`${SCREEN_PATH}/`);
  const context = c.get('context') ?? (await (isScreen ? identifyGuest(c) : identify(c)));
  const { app, request, messages } = context;
  if (error instanceof UnstorableText) {
    app.log.warn({ requestId: request.id, reason: error.message }, 'page refused');
    return isScreen ? screenProblem(context, 400) : problemPage(context, 400, messages.problem.unstorable);
  }
  app.log.error({ requestId: request.id, err: error }, 'page failed');
  if (isScreen) return screenProblem(context, error instanceof DatabaseUnavailable ? 503 : 500);
  return error instanceof DatabaseUnavailable
    ? problemPage(context, 503, messages.problem.database)
    : problemPage(context, 500, `${messages.problem.server} ${request.id}`);
}

function acceptsHtml(c: Context<PageEnv>): boolean {
  return (c.req.header('accept') ?? '').includes('text/html');
}

/** Stores the path of the route in the request, for the request log and the metrics. */
function noteRoute(path: string): PageMiddleware {
  return (c, next) => {
    c.env.request.route = path;
    return next();
  };
}

function run(
  route: Route,
  context: PageContext,
  serveUnpaired: Pages['serveUnpaired'],
): Promise<Response> | Response {
  if (route.permission === 'screen') return isPaired(context) ? route.run(context) : serveUnpaired(context);
  if (route.permission === 'anyone' || route.permission === 'reader') return route.run(context);
  return isLoggedIn(context) ? route.run(context) : redirect(context, '/login');
}

function isPaired(context: PageContext): context is ScreenContext {
  return context.screen !== undefined && context.site !== undefined;
}

function isLoggedIn(context: PageContext): context is AuthenticatedContext {
  return context.user !== undefined && context.session !== undefined;
}

/** Sorts the routes. Hono runs the first route that matches, so `/users/new` must come before `/users/:user`. */
function literalPathsFirst(routes: Route[]): Route[] {
  const hasParameters = ({ path }: Route) => path.includes(':');
  return [...routes.filter((route) => !hasParameters(route)), ...routes.filter(hasParameters)];
}

function methodsByPath(routes: Route[]): Map<string, { route: Route; methods: string[] }> {
  const byPath = new Map<string, { route: Route; methods: string[] }>();
  for (const route of routes) {
    const known = byPath.get(route.path)?.methods ?? [];
    byPath.set(route.path, { route, methods: [...known, route.method] });
  }
  return byPath;
}

/** Adds the requested page as the parameter `next`, so that the user gets to this page after signing in. */
function withWayBack(door: string, { path, request }: PageContext, method: string): string {
  if (method !== 'GET' || path === '/') return door;
  return `${door}?next=${encodeURIComponent(request.query ? `${path}?${request.query}` : path)}`;
}
