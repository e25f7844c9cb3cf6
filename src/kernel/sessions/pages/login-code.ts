// The second step of a login: after the correct password, the user enters a code from the app or a recovery code.

import { textField } from '../../../platform/pages/ui/fields.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';
import { deviceCookieOf, readCookie, writeCookie } from '../../pages/cookies.ts';
import { formToken, redirect } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { PENDING_LOGIN_MS, type PendingLoginProblem } from '../pending-login.ts';
import { enterWith } from './enter.ts';
import {
  draftField,
  languageForm,
  nextOf,
  renderLoginPage,
  renderRefusal,
  sayProblem,
  withNext,
} from './login-form.ts';
import { noteLogin } from './note-login.ts';

const PATH = '/login/code';
const PENDING_LOGIN_COOKIE = 'gastpass-half';

export function toCodePage(context: PageContext, token: string) {
  writeCookie(context, { name: PENDING_LOGIN_COOKIE, value: token, maxAge: PENDING_LOGIN_MS / 1000 });
  // A draft is too large for a URL, so the page is shown without a redirect.
  if (context.form.has('draft')) return show(context);
  return redirect(context, withNext(PATH, nextOf(context)) + (context.form.has('stay') ? '&stay=1' : ''));
}

export const loginCodeRoutes: Route[] = [
  { method: 'GET', path: PATH, permission: 'anyone', run: open },
  { method: 'POST', path: PATH, permission: 'anyone', run: finish },
];

async function open(context: PageContext) {
  if (await context.app.finishLogin.isOpen(tokenOf(context))) return show(context);
  return redirect(context, context.user ? '/' : withNext('/login', nextOf(context)));
}

async function finish(context: PageContext) {
  const { form, request } = context;
  const finished = await context.app.finishLogin.finish({
    token: tokenOf(context),
    code: form.get('code') ?? '',
    ip: request.clientIp(),
    agent: request.headers['user-agent'] ?? '',
    stays: form.has('stay'),
    readDeviceCookie: (userId) => readCookie(context, deviceCookieOf(userId)),
  });
  const result = finished.ok ? 'success' : finished.problem.kind;
  // The form contains no account, so none is logged. The audit log names the user who entered a wrong code.
  noteLogin(context, { account: '', result });
  if (finished.ok) return enterWith(context, finished.value);
  const { problem } = finished;
  return problem.kind === 'over'
    ? renderLoginPage(context, { failed: { email: '', problem } })
    : show(context, problem);
}

/** The token of the pending login. Its cookie may stay in the browser, because the token is invalid after the login. */
function tokenOf(context: PageContext): string {
  return readCookie(context, PENDING_LOGIN_COOKIE) ?? '';
}

/** Shows the page without navigation, even if another user is signed in in this browser. */
function show({ user, session, ...context }: PageContext, problem?: PendingLoginProblem) {
  const { login: text } = context.messages.secondFactor;
  const next = nextOf(context);
  const stays = context.form.has('stay') || context.query.has('stay');
  return renderRefusal(context, {
    title: text.title,
    problem,
    issues: { code: problem && sayProblem(problem, context) },
    content: html`<section class="card"><h1>${text.title}</h1>
<form method="post" action="${PATH}">${formToken(context)}<input type="hidden" name="next" value="${next}">${draftField(context)}${stays && html`<input type="hidden" name="stay" value="1">`}
${textField({
  name: 'code',
  label: text.code,
  hint: text.codeHint,
  error: problem && sayProblem(problem, context),
  required: true,
  autocomplete: 'one-time-code',
  autofocus: true,
})}
<button class="button primary wide" type="submit">${text.button}</button></form>
<p class="actions aside"><a class="button quiet" href="${withNext('/login', next)}">${text.back}</a></p></section>
${languageForm(context, withNext(PATH, next))}`,
  });
}
