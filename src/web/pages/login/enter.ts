// The last step of every login in the browser: writes the cookies, and continues with the requested page or with the
// form that was sent after the previous session had ended. Also shows the login page for such a form.

import type { BegunSession } from '../../../domain/sessions/begin-session.ts';
import type { KnownDevices } from '../../../domain/sessions/known-device.ts';
import { userIdIn } from '../../../domain/sessions/session-token.ts';
import type { WebSessionStore } from '../../../domain/sessions/web-session.ts';
import type { SingleSignOnStore } from '../../../domain/single-sign-on/single-sign-on.ts';
import type { TextSeal } from '../../../domain/sites/sealed-access.ts';
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
import { keptFields, keptForm } from '../../ui/kept-form.ts';
import { redirect, renderPage } from '../../ui/layout.ts';
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
    return showDraft({ ...context, formToken: makeFormToken(session.token) }, draft, session.token);
  };
}

interface EndedDeps {
  drafts: Drafts;
  textSeal: TextSeal;
  singleSignOn: Pick<SingleSignOnStore, 'read'>;
  readProxyUser: ReadProxyUser;
}

/** For a form that was sent after its session had ended. */
export function makeShowSessionEnded({ drafts, textSeal, singleSignOn, readProxyUser }: EndedDeps) {
  return async function showSessionEnded(context: PageContext, page: string): Promise<Response> {
    const { path, request, form, nowMs } = context;
    const userId = userIdIn(readCookie(context, SESSION_COOKIE), textSeal);
    const action = request.query ? `${path}?${request.query}` : path;
    const draft =
      userId === undefined ? undefined : drafts.seal({ action, page, fields: [...form] }, { userId, nowMs });
    // A login through the provider or the proxy begins with a GET, which cannot carry the form.
    if (draft && draft.length <= MAX_COOKIE_LENGTH)
      writeCookie(context, { name: DRAFT_COOKIE, value: draft, maxAge: DRAFT_COOKIE_S });
    if (readProxyUser(request)) return redirect(context, '/login');
    const provider = await findOfferedProvider(singleSignOn);
    return showDoor({ ...context, form: new URLSearchParams(draft && { draft }) }, { provider });
  };
}

/** The form is sent only when the user says so: what it does may no longer be wanted. */
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
