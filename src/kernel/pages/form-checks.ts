// The checks of a submitted form: the origin, the body size, the CSRF token and the one-time token.

import type { MiddlewareHandler } from 'hono';
import { hashToken } from '../../platform/secrets/token.ts';
import { MAX_IMAGE_BYTES } from '../settings/image-check.ts';
import type { PageContext, PageEnv } from './context.ts';
import { readCookie, SESSION_COOKIE } from './cookies.ts';
import { isFormToken, isFromOurPages, makeFormToken } from './csrf.ts';
import { showFormProblem, showStaleForm } from './form-problem.ts';
import { redirect } from './layout.ts';
import { problemPage } from './problem-page.ts';
import type { Route } from './route.ts';

/** The size of the largest image, plus 32 KiB for the rest of the multipart form. */
const MAX_UPLOAD_BYTES = MAX_IMAGE_BYTES + 32 * 1024;

type PageMiddleware = MiddlewareHandler<PageEnv>;

/** Returns the path of the page that shows the form. */
export type PageOf = (context: PageContext) => string;

export function checkOrigin(pageOf: PageOf): PageMiddleware {
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

export function readForm(route: Route, pageOf: PageOf): PageMiddleware {
  const { takesFile } = route;
  return async (c, next) => {
    const context = c.get('context');
    const { logo, problem } = context.messages;
    const body = await context.request.readBody(
      takesFile && { maxBytes: MAX_UPLOAD_BYTES, keepsStart: true },
    );
    const type = c.req.header('content-type') ?? '';
    if (!body.ok && route.permission === 'device') {
      c.header('connection', 'close');
      return redirect(context, route.area.path);
    }
    if (body.ok) await fillForm(context, body.value, type);
    else if (body.problem.kind === 'body-too-slow')
      return problemPage(context, 408, problem.tooSlow, { connection: 'close' });
    else {
      await fillForm(context, closeForm(body.problem.start, type), type);
      if (!isTooHeavy(context.file))
        return problemPage(context, 413, takesFile ? logo.issues['too-heavy'] : problem.tooLarge);
    }
    if (route.permission === 'device') return next();
    if (!isFormToken(context.form.get('token'), context.formToken))
      return showStaleForm(context, pageOf(context));
    return next();
  };
}

/**
 * Reads the form. Returns true if the form comes from our own page and belongs to a session that has ended. A form with
 * a file cannot be kept, so it does not count.
 */
export async function isFormOfEndedSession(context: PageContext, { method }: Route): Promise<boolean> {
  const sessionToken = readCookie(context, SESSION_COOKIE);
  if (method !== 'POST' || !sessionToken || !isFromOurPages(context.request.headers)) return false;
  const body = await context.request.readBody();
  if (!body.ok) return false;
  await fillForm(context, body.value, context.request.headers['content-type']);
  if (context.file?.length) return false;
  return isFormToken(context.form.get('token'), makeFormToken(sessionToken));
}

/** Reads the form of a page that needs no login. Such a form has no token, so its origin must be checked. */
export async function readGuestForm(context: PageContext): Promise<'read' | 'too-large' | 'too-slow'> {
  const body = await context.request.readBody();
  if (!body.ok) return body.problem.kind === 'body-too-slow' ? 'too-slow' : 'too-large';
  await fillForm(context, body.value, context.request.headers['content-type']);
  return 'read';
}

/** A form that cannot be parsed counts as empty. An empty form is refused, because it has no form token. */
async function fillForm(context: PageContext, body: Buffer, type = ''): Promise<void> {
  const response = new Response(new Uint8Array(body), { headers: { 'content-type': type } });
  for (const [name, value] of await response.formData().catch(() => new FormData()))
    if (typeof value === 'string') context.form.append(name, value);
    else context.file = Buffer.from(await value.arrayBuffer());
}

/**
 * Adds the end to a multipart form that was cut off. The file is its last field. So if the file is too large, all other
 * fields can be shown again, and the part of the file that was read is too large as well.
 */
function closeForm(start: Buffer, type: string): Buffer {
  const [, boundary = ''] = /boundary="?([^";]+)/.exec(type) ?? [];
  return Buffer.concat([start, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}

function isTooHeavy(file: Buffer | undefined): boolean {
  return file !== undefined && file.length > MAX_IMAGE_BYTES;
}

/** Accepts a one-time form token once. If the request fails, the token is released and the form can be sent again. */
export async function withOneTimeToken(
  context: PageContext,
  { pageOf, respond }: { pageOf: PageOf; respond: (context: PageContext) => Promise<Response> | Response },
): Promise<Response> {
  const id = context.form.get('once');
  // Used tokens are stored only for users and known devices; otherwise anonymous requests could fill the database.
  if (!id || (!context.user && context.deviceHome === undefined)) return respond(context);
  if (!(await context.app.oneTimeForms.take(hashToken(id), context.nowMs))) {
    if (context.deviceHome !== undefined) return redirect(context, context.deviceHome);
    return showFormProblem(context, {
      status: 409,
      title: context.messages.problem.sentTitle,
      what: context.messages.problem.sentAlready,
      page: pageOf(context),
    });
  }
  let response: Response | undefined;
  try {
    response = await respond(context);
    return response;
  } finally {
    if (!response || response.status >= 400) await context.app.oneTimeForms.free(hashToken(id));
  }
}
