// The last step of every login in the browser: writes the cookies, and continues with the requested page or with the
// form that was sent after the previous session had ended. Also shows the login page for such a form.

import type { BegunSession } from '../../../domain/sessions/begin-session.ts';
import type { KnownDevices } from '../../../domain/sessions/known-device.ts';
import { userIdIn, type WebSessionStore } from '../../../domain/sessions/web-session.ts';
import type { SingleSignOnStore } from '../../../domain/single-sign-on/single-sign-on.ts';
import type { PageContext } from '../../http/context.ts';
import {
  readCookie,
  SESSION_COOKIE,
  writeCookie,
  writeDeviceCookie,
  writeSessionCookie,
} from '../../http/cookies.ts';
import { makeFormToken } from '../../http/csrf.ts';
import type { Draft, Drafts } from '../../http/drafts.ts';
import type { ReadProxyUser } from '../../http/proxy-user.ts';
import { html } from '../../ui/html.ts';
import { formToken, redirect, renderPage } from '../../ui/layout.ts';
import { note } from '../../ui/message.ts';
import { findOfferedProvider, nextOf, showDoor } from './login-form.ts';

const DRAFT_COOKIE = 'gastpass-draft';
const DRAFT_COOKIE_S = 10 * 60;
/** Browsers drop cookies of more than 4 kB. */
const MAX_COOKIE_LENGTH = 3_500;

interface Deps {
  webSessions: Pick<WebSessionStore, 'end'>;
  knownDevices: Pick<KnownDevices, 'issuedAtMs'>;
  drafts: Drafts;
}

/** `next` is the page to continue with, by default the one that the form or the query names. */
export type Enter = (context: PageContext, session: BegunSession, next?: string) => Promise<Response>;

export function makeEnter({ webSessions, knownDevices, drafts }: Deps): Enter {
  return async function enter(context, session, next = nextOf(context)) {
    // The browser gives up the session that it had.
    if (context.session) await webSessions.end(context.session.userId, context.session.tokenHash);
    writeSessionCookie(context, session);
    writeDeviceCookie(context, session.device, knownDevices.issuedAtMs);
    const by = { userId: session.device.userId, nowMs: context.nowMs };
    const draft = drafts.open(context.form.get('draft') ?? readCookie(context, DRAFT_COOKIE) ?? null, by);
    writeCookie(context, { name: DRAFT_COOKIE, value: '', maxAge: 0 });
    if (!draft) return redirect(context, next);
    return showDraft({ ...context, formToken: makeFormToken(session.token) }, draft);
  };
}

interface EndedDeps {
  drafts: Drafts;
  singleSignOn: Pick<SingleSignOnStore, 'read'>;
  readProxyUser: ReadProxyUser;
}

/** For a form that was sent after its session had ended. */
export function makeShowSessionEnded({ drafts, singleSignOn, readProxyUser }: EndedDeps) {
  return async function showSessionEnded(context: PageContext): Promise<Response> {
    const { path, request, form, nowMs } = context;
    const userId = userIdIn(readCookie(context, SESSION_COOKIE) ?? '');
    const action = request.query ? `${path}?${request.query}` : path;
    const draft =
      userId === undefined ? undefined : drafts.seal({ action, fields: [...form] }, { userId, nowMs });
    // A login through the provider or the proxy begins with a GET, which cannot carry the form.
    if (draft && draft.length <= MAX_COOKIE_LENGTH)
      writeCookie(context, { name: DRAFT_COOKIE, value: draft, maxAge: DRAFT_COOKIE_S });
    if (readProxyUser(request)) return redirect(context, '/login');
    const provider = await findOfferedProvider(singleSignOn);
    return showDoor({ ...context, form: new URLSearchParams(draft && { draft }) }, { provider });
  };
}

/** The form is sent only when the user says so: what it does may no longer be wanted. */
function showDraft(context: PageContext, { action, fields }: Draft): Response {
  const { draft: text } = context.messages;
  const name = fields.find(([field, value]) => field === 'name' && value.trim() !== '')?.[1];
  return renderPage(context, {
    title: text.title,
    content: html`<section class="card"><h1>${text.title}</h1>
${note('info', text.what)}${name !== undefined && html`<p>${text.entered} <strong>${name}</strong></p>`}
<form method="post" action="${action}">${formToken(context)}${fields.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
<button class="button primary wide" type="submit" autofocus>${text.send}</button></form>
<p class="actions aside"><a class="button quiet" href="/">${text.discard}</a></p></section>`,
  });
}
