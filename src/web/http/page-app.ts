// The web interface as a Hono app. Every route finds the user and checks access. POST routes then check the origin,
// the body size and the CSRF token. Errors are shown as a page, with two exceptions that get JSON: an unknown path if
// the client does not accept HTML, and an error outside the app.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { DatabaseUnavailable } from '../../domain/database-unavailable.ts';
import type { OneTimeFormStore } from '../../domain/sessions/one-time-forms.ts';
import { hashToken } from '../../domain/sessions/web-session.ts';
import { UnstorableText } from '../../domain/storable-text.ts';
import { UNKNOWN } from '../../domain/unknown-value.ts';
import { isSecondFactorRequired, type SecondFactorStore } from '../../domain/users/second-factor.ts';
import { type HttpRequest, problemResponse } from '../../http/handler.ts';
import { CallerGone } from '../../http/read-body.ts';
import { MAX_IMAGE_BYTES } from '../pages/settings/image-check.ts';
import { redirect } from '../ui/layout.ts';
import { ASSETS } from './assets.ts';
import type { AuthenticatedContext, PageContext, PageEnv } from './context.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import { isFormToken, isFromOurPages, makeFormToken } from './csrf.ts';
import { formPageOf, showFormProblem, showStaleForm } from './form-problem.ts';
import { type IdentifyDeps, makeIdentify } from './identify.ts';
import { INVITATION_PATH } from './link-to.ts';
import { problemPage } from './problem-page.ts';
import { type Addresses, redirectToPublicUrl } from './public-url.ts';
import type { Route } from './route.ts';

/** The largest image plus the multipart form around it. */
const MAX_UPLOAD_BYTES = MAX_IMAGE_BYTES + 32 * 1024;
/** Half a year. */
const HSTS = 'max-age=15552000';
const SET_UP_FACTOR = '/account/second-factor/new';

/** Omits headers that pages do not need, and HSTS: `requireHttps` sends it over HTTPS only, without subdomains. */
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

interface Deps extends IdentifyDeps, Addresses {
  routes: Route[];
  oneTimeForms: Pick<OneTimeFormStore, 'take' | 'free'>;
  secondFactors: Pick<SecondFactorStore, 'has'>;
  /** The login page, which keeps the submitted form. */
  showSessionEnded: (context: PageContext, formPage: string) => Promise<Response>;
  isDraining: () => boolean;
}

type PageMiddleware = MiddlewareHandler<PageEnv>;

/** Writes the response to the connection. */
export type ServePage = (
  message: IncomingMessage,
  response: ServerResponse,
  request: HttpRequest,
) => Promise<void>;

export function makeServePage(deps: Deps): ServePage {
  const { routes, oneTimeForms, secondFactors, showSessionEnded, isDraining, log } = deps;
  const identify = makeIdentify(deps);
  const app = new Hono<PageEnv>();
  app.use(`${INVITATION_PATH}/*`, hidePath);
  app.use(secureHeaders(HEADERS));
  app.use(requireHttps);
  app.use(closeWhileDraining);
  for (const { path, serve } of ASSETS) app.get(path, noteRoute('/assets'), serve);
  app.use(redirectToPublicUrl(deps));
  const ordered = literalPathsFirst(routes);
  const pages = new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path));
  for (const route of ordered) {
    const pageOf = (context: PageContext) => formPageOf(route, context, pages);
    const formChecks = [checkOrigin(pageOf), readForm(route, pageOf)];
    app.on(
      route.method,
      route.path,
      noteRoute(route.path),
      setContext,
      requireAccess(route, pageOf),
      ...(route.method === 'POST' ? formChecks : []),
      (c) => withOneTimeToken(c.get('context'), { pageOf, respond: (context) => run(route, context) }),
    );
  }
  for (const [path, { route, methods }] of methodsByPath(ordered))
    app.all(path, noteRoute(path), setContext, (c) => {
      const context = c.get('context');
      // A user has opened the address of a form, from the history or by reloading after signing in.
      if (!methods.includes('GET') && ['GET', 'HEAD'].includes(c.req.method) && acceptsHtml(c))
        return redirect(context, formPageOf(route, context, pages), 'formNotSent');
      return problemPage(context, 405, context.messages.problem.method, { allow: methods.join(', ') });
    });
  app.notFound(showNotFound);
  app.onError(showError);

  const requests = new WeakMap<object, HttpRequest>();
  const listener = getRequestListener(
    (request, env) => fetchPage(request, env, requests.get(env.incoming)),
    // The clean-up of @hono/node-server is off: it would close the connection while the browser is still sending a file
    // that is too large, and the browser would not show the error page. Node itself discards a body that is not read.
    { hostname: 'localhost', autoCleanupIncoming: false, errorHandler: handleUnexpected },
  );
  return async (message, response, request) => {
    requests.set(message, request);
    await listener(message, response);
  };

  /** Logs errors that are not handled in the app, under the request id of the response. */
  async function fetchPage(request: Request, env: object, own: HttpRequest | undefined): Promise<Response> {
    try {
      return await app.fetch(request, { ...env, request: own, fetchPage: app.fetch });
    } catch (error) {
      if (!(error instanceof CallerGone)) log.error({ requestId: own?.id, err: error }, 'page failed');
      throw error;
    }
  }

  /**
   * Keeps a secret in the path out of the Referer header. Not `no-referrer`: browsers would then send `Origin: null`
   * with the form, which the CSRF check refuses.
   */
  async function hidePath(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
    await next();
    c.header('referrer-policy', 'strict-origin');
  }

  async function requireHttps(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
    await next();
    if (c.env.request.isHttps()) c.header('strict-transport-security', HSTS);
  }

  async function closeWhileDraining(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
    await next();
    if (isDraining()) c.header('connection', 'close');
  }

  async function setContext(c: Context<PageEnv>, next: () => Promise<void>): Promise<void> {
    c.set('context', await identify(c));
    await next();
  }

  function requireAccess(route: Route, pageOf: PageOf): PageMiddleware {
    const { access, method } = route;
    return async (c, next) => {
      const context = c.get('context');
      const isOpen = access === 'anyone' || (access === 'reader' && context.settings.isApiPageOpen);
      if (!isOpen && !context.user)
        return (await isFormOfEndedSession(context, route))
          ? showSessionEnded(context, pageOf(context))
          : redirect(context, withWayBack('/login', context, method));
      if (!isOpen && context.user?.role === UNKNOWN && route.path !== '/logout')
        return problemPage(context, 403, context.messages.problem.roleNotKnown);
      if (!isOpen && access !== 'newcomer' && (await owesSecondFactor(context)))
        return redirect(context, withWayBack(SET_UP_FACTOR, context, method));
      if (access === 'admin' && context.user?.role !== 'admin')
        return problemPage(context, 403, context.messages.problem.forbidden);
      return next();
    };
  }

  /**
   * True if the user must have a second factor and has none. The requirement also applies to existing sessions, but not
   * to users whom the identity provider has authenticated: it asks for the second factor itself.
   */
  async function owesSecondFactor({ user, session, settings }: PageContext): Promise<boolean> {
    if (!user || !session || !isSecondFactorRequired(settings, user)) return false;
    return session.external === null && !(await secondFactors.has(user.id));
  }

  /** Accepts a one-time form token once. If the request fails, the token is released and the form can be sent again. */
  async function withOneTimeToken(
    context: PageContext,
    { pageOf, respond }: { pageOf: PageOf; respond: (context: PageContext) => Promise<Response> | Response },
  ): Promise<Response> {
    const id = context.form.get('once');
    // Used tokens are stored only for signed-in users; otherwise anonymous requests could fill the database.
    if (!id || !context.user) return respond(context);
    if (!(await oneTimeForms.take(hashToken(id), context.nowMs)))
      return showFormProblem(context, {
        status: 409,
        title: context.messages.problem.sentTitle,
        what: context.messages.problem.sentAlready,
        page: pageOf(context),
      });
    let response: Response | undefined;
    try {
      response = await respond(context);
      return response;
    } finally {
      if (!response || response.status >= 400) await oneTimeForms.free(hashToken(id));
    }
  }

  /** A client that does not accept HTML gets its 404 as JSON. */
  async function showNotFound(c: Context<PageEnv>): Promise<Response> {
    if (acceptsHtml(c)) {
      const context = await identify(c);
      return problemPage(context, 404, context.messages.problem.notFound);
    }
    const { body, headers } = problemResponse({ kind: 'path-unknown' });
    return c.body(String(body), 404, headers);
  }

  /** Answers errors outside the app: a URL or a Host header that cannot be parsed, or a client that has disconnected. */
  function handleUnexpected(error: unknown): Response | undefined {
    if (error instanceof CallerGone) return undefined;
    const kind = error instanceof RequestError ? 'unreadable' : 'unavailable';
    const { status, headers, body } = problemResponse({ kind });
    return new Response(String(body), { status, headers });
  }

  async function showError(error: Error, c: Context<PageEnv>): Promise<Response> {
    if (error instanceof CallerGone) throw error;
    const context = c.get('context') ?? (await identify(c));
    const { request, messages } = context;
    if (error instanceof UnstorableText) {
      log.warn({ requestId: request.id, reason: error.message }, 'page refused');
      return problemPage(context, 400, messages.problem.unstorable);
    }
    log.error({ requestId: request.id, err: error }, 'page failed');
    return error instanceof DatabaseUnavailable
      ? problemPage(context, 503, messages.problem.database)
      : problemPage(context, 500, `${messages.problem.server} ${request.id}`);
  }
}

function acceptsHtml(c: Context<PageEnv>): boolean {
  return (c.req.header('accept') ?? '').includes('text/html');
}

/** The page with the form of a route. */
type PageOf = (context: PageContext) => string;

function checkOrigin(pageOf: PageOf): PageMiddleware {
  return async (c, next) => {
    const context = c.get('context');
    const { problem } = context.messages;
    if (isFromOurPages(context.request.headers)) return next();
    const page = pageOf(context);
    return showFormProblem(context, {
      status: 403,
      title: problem.foreignTitle,
      what: problem.foreign,
      page,
    });
  };
}

function readForm(route: Route, pageOf: PageOf): PageMiddleware {
  const { takesFile } = route;
  return async (c, next) => {
    const context = c.get('context');
    const { logo, problem } = context.messages;
    const body = await context.request.readBody(takesFile && MAX_UPLOAD_BYTES);
    if (!body.ok && body.problem.kind === 'body-too-slow')
      return problemPage(context, 408, problem.tooSlow, { connection: 'close' });
    if (!body.ok) return problemPage(context, 413, takesFile ? logo.issues['too-heavy'] : problem.tooLarge);
    for (const [name, value] of await parseForm(body.value, c.req.header('content-type')))
      if (typeof value === 'string') context.form.append(name, value);
      else context.file = Buffer.from(await value.arrayBuffer());
    if (!isFormToken(context.form.get('token'), context.formToken))
      return showStaleForm(context, route, pageOf(context));
    return next();
  };
}

/** Reads the form. True if our own page sent it with the cookie of a session that has ended in the meantime. */
async function isFormOfEndedSession(context: PageContext, { method, takesFile }: Route): Promise<boolean> {
  const sessionToken = readCookie(context, SESSION_COOKIE);
  if (method !== 'POST' || takesFile || !sessionToken || !isFromOurPages(context.request.headers))
    return false;
  const body = await context.request.readBody();
  if (!body.ok) return false;
  for (const [name, value] of await parseForm(body.value, context.request.headers['content-type']))
    if (typeof value === 'string') context.form.append(name, value);
  return isFormToken(context.form.get('token'), makeFormToken(sessionToken));
}

/** A form that cannot be parsed counts as empty. It then has no token either, so it is refused. */
function parseForm(body: Buffer, type = ''): Promise<FormData> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
  return response.formData().catch(() => new FormData());
}

/** For the request log and the metrics. */
function noteRoute(path: string): PageMiddleware {
  return (c, next) => {
    c.env.request.route = path;
    return next();
  };
}

function run(route: Route, context: PageContext): Promise<Response> | Response {
  if (route.access === 'anyone' || route.access === 'reader') return route.run(context);
  return isSignedIn(context) ? route.run(context) : redirect(context, '/login');
}

function isSignedIn(context: PageContext): context is AuthenticatedContext {
  return context.user !== undefined && context.session !== undefined;
}

/** Hono runs the first match, so `/users/new` must come before `/users/:user`. */
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

/** Adds the requested page as `next`, so that the user returns there afterwards. */
function withWayBack(door: string, { path, request }: PageContext, method: string): string {
  if (method !== 'GET' || path === '/') return door;
  return `${door}?next=${encodeURIComponent(request.query ? `${path}?${request.query}` : path)}`;
}
