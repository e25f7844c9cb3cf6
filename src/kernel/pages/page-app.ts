// The web interface as a Hono app. Every route finds the user and checks access. POST routes then check the origin,
// the body size and the CSRF token. Errors are shown as a page. The response is JSON in two cases: for an unknown path
// if the client does not accept HTML, and for an error outside the Hono app.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { HttpRequest } from '../../platform/http/handler.ts';
import { CallerGone } from '../../platform/http/read-body.ts';
import { ASSETS } from '../../platform/pages/assets.ts';
import { UnstorableText } from '../../platform/text/storable-text.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import { problemResponse } from '../contract/problem-response.ts';
import { INVITATION_PATH } from '../users/invitations.ts';
import { isSecondFactorRequired } from '../users/second-factor.ts';
import type { App } from './app.ts';
import type { AuthenticatedContext, PageContext, PageEnv } from './context.ts';
import type { FeaturePages } from './feature-pages.ts';
import { checkOrigin, isFormOfEndedSession, type PageOf, readForm, withOneTimeToken } from './form-checks.ts';
import { formPageOf } from './form-problem.ts';
import { identify, identifyGuest } from './identify.ts';
import { redirect } from './layout.ts';
import { notFoundPage, problemPage } from './problem-page.ts';
import { redirectToPublicUrl } from './public-url.ts';
import type { DeviceArea, Route } from './route.ts';

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
  features: readonly FeaturePages[];
  showSessionEnded: ShowSessionEnded;
}

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
      return await hono.fetch(request, {
        ...env,
        app,
        slots: pages.features,
        request: own,
        fetchPage: hono.fetch,
      });
    } catch (error) {
      if (!(error instanceof CallerGone)) app.log.error({ requestId: own?.id, err: error }, 'page failed');
      throw error;
    }
  }
}

function makeHono(app: App, pages: Pages): Hono<PageEnv> {
  const { routes, features, showSessionEnded } = pages;
  const areas = features.flatMap(({ area }) => area ?? []);
  const hono = new Hono<PageEnv>();
  hono.use(`${INVITATION_PATH}/*`, withHeaders(HIDDEN_PATH));
  for (const { path, headers } of areas) hono.use(`${path}/*`, withHeaders(headers));
  hono.use(secureHeaders(HEADERS));
  hono.use(requireHttps);
  hono.use(closeWhileDraining);
  for (const { path, serve } of ASSETS) hono.get(path, noteRoute('/assets'), serve);
  hono.use(redirectToPublicUrl(app));
  for (const { path, serve } of areas)
    hono.all(`${path}/*`, noteRoute(`${path}/:token`), async (c) => {
      const context = await identifyGuest(c);
      c.set('context', context);
      return serve(context);
    });
  const ordered = literalPathsFirst(routes);
  const devices = new Set(routes.flatMap((route) => (route.permission === 'device' ? route.area : [])));
  const deviceAt = (path: string) => [...devices].find((area) => `${path}/`.startsWith(`${area.path}/`));
  const formPages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const route of ordered) {
    const pageOf = (context: PageContext) => formPageOf(route, context, formPages);
    const respond = (context: PageContext) => run(route, context);
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
  hono.notFound((c) => showNotFound(c, deviceAt(c.req.path)));
  hono.onError((error, c) => showError(error, c, deviceAt(c.req.path)));
  return hono;
}

/**
 * Keeps the path out of the Referer header, because the path contains a secret. The stricter policy
 * `no-referrer` is not possible: browsers would send `Origin: null` with the form, and the CSRF check would refuse it.
 */
const HIDDEN_PATH = { 'referrer-policy': 'strict-origin' };

function withHeaders(headers: Record<string, string>): PageMiddleware {
  return async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
  };
}

async function requireHttps(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  if (c.env.request.isHttps()) c.header('strict-transport-security', HSTS);
}

async function closeWhileDraining(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
  await next();
  if (c.env.app.isDraining()) c.header('connection', 'close');
}

function contextOf(route: Route): PageMiddleware {
  return async (c, next) => {
    const context =
      route.permission === 'device' ? await route.area.identify(await identifyGuest(c)) : await identify(c);
    c.set('context', context);
    await next();
  };
}

function requirePermission(route: Route, pageOf: PageOf, showSessionEnded: ShowSessionEnded): PageMiddleware {
  const { permission, method } = route;
  return async (c, next) => {
    const context = c.get('context');
    const isOpen =
      permission === 'anyone' ||
      permission === 'device' ||
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
async function showNotFound(c: Context<PageEnv>, device: DeviceArea | undefined): Promise<Response> {
  if (acceptsHtml(c)) {
    // The page for unknown paths has a link to the login, which a guest at a device must not find.
    if (device) return redirect(await identifyGuest(c), device.path);
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

async function showError(
  error: Error,
  c: Context<PageEnv>,
  device: DeviceArea | undefined,
): Promise<Response> {
  if (error instanceof CallerGone) throw error;
  const context = c.get('context') ?? (await (device ? identifyGuest(c) : identify(c)));
  const { app, request, messages } = context;
  if (error instanceof UnstorableText) {
    app.log.warn({ requestId: request.id, reason: error.message }, 'page refused');
    return device?.problem(context, 400) ?? problemPage(context, 400, messages.problem.unstorable);
  }
  app.log.error({ requestId: request.id, err: error }, 'page failed');
  if (device) return device.problem(context, error instanceof DatabaseUnavailable ? 503 : 500);
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

function run(route: Route, context: PageContext): Promise<Response> | Response {
  if (route.permission === 'anyone' || route.permission === 'reader' || route.permission === 'device')
    return route.run(context);
  return isLoggedIn(context) ? route.run(context) : redirect(context, '/login');
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
