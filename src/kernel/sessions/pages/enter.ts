// The last step of every login in the browser. It writes the cookies and opens the requested page. If a form was sent
// after the previous session had ended, it shows this form again instead.

import { html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';
import {
  readCookie,
  SESSION_COOKIE,
  writeCookie,
  writeDeviceCookie,
  writeSessionCookie,
} from '../../pages/cookies.ts';
import { makeFormToken } from '../../pages/csrf.ts';
import { type Draft, openDraft, sealDraft } from '../../pages/drafts.ts';
import { keptFields, keptForm } from '../../pages/kept-form.ts';
import { redirect, renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { readProxyUser } from '../../pages/proxy-user.ts';
import type { BegunSession } from '../begin-session.ts';
import { userIdIn } from '../session-token.ts';
import { findOffers, nextOf, renderLoginPage } from './login-form.ts';

const DRAFT_COOKIE = 'gastpass-draft';
const DRAFT_COOKIE_S = 10 * 60;
/** Browsers ignore cookies that are larger than 4 kB, including their name and attributes. */
const MAX_COOKIE_LENGTH = 3_500;

/** `next` is the page that opens after the login. By default it is the page named in the form or in the query. */
export async function enterWith(
  context: PageContext,
  session: BegunSession,
  next = nextOf(context),
): Promise<Response> {
  const { knownDevices } = context.app;
  await endEarlierSession(context);
  writeSessionCookie(context, session);
  writeDeviceCookie(context, session.device, knownDevices.issuedAtMs);
  const kept = context.form.get('draft') ?? readCookie(context, DRAFT_COOKIE);
  const draft = openDraft(context, kept, session.device.userId);
  writeCookie(context, { name: DRAFT_COOKIE, value: '', maxAge: 0 });
  if (!draft) return redirect(context, next);
  return showDraft({ ...context, formToken: makeFormToken(session.token) }, draft, session.token);
}

/** A login ends the session that this browser had before. */
export async function endEarlierSession({ app, session }: PageContext): Promise<void> {
  if (session) await app.webSessions.end(session.userId, session.tokenHash);
}

/** Shows the login page after a form was sent whose session had ended. The form is kept as a draft. */
export async function showSessionEnded(context: PageContext, page: string): Promise<Response> {
  const { app, path, request, form } = context;
  const userId = userIdIn(readCookie(context, SESSION_COOKIE), app.textSeal);
  const action = request.query ? `${path}?${request.query}` : path;
  const draft =
    userId === undefined ? undefined : sealDraft(context, { action, page, fields: [...form] }, userId);
  // A login through the identity provider or a proxy sends no form field, so the draft is kept in a cookie too.
  if (draft && draft.length <= MAX_COOKIE_LENGTH)
    writeCookie(context, { name: DRAFT_COOKIE, value: draft, maxAge: DRAFT_COOKIE_S });
  if (readProxyUser(context)) return redirect(context, '/login');
  const offers = await findOffers(context);
  return renderLoginPage({ ...context, form: new URLSearchParams(draft && { draft }) }, offers);
}

/** Shows the kept form. It is not sent automatically, because the user may no longer want to send it. */
async function showDraft(context: PageContext, draft: Draft, sessionToken: string): Promise<Response> {
  const { draft: text } = context.messages;
  const button = html`<button class="button primary wide" type="submit" autofocus>${text.send}</button>`;
  return renderPage(context, {
    title: text.title,
    content: html`<section class="card"><h1>${text.title}</h1>
${note('info', text.what)}${await keptFields(context, draft, sessionToken)}
${keptForm(context, draft, button)}
<p class="actions aside"><a class="button quiet" href="/">${text.discard}</a></p></section>`,
  });
}
