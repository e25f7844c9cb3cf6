// The page that an invitation link opens. Here the user sets a password, and is then signed in as after a login. The
// link becomes invalid when the form is sent, not when the page is opened, because chat and mail programs may open the
// link for a preview.

import { textField } from '../../../platform/pages/ui/fields.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';
import { SESSION_COOKIE, writeCookie } from '../../pages/cookies.ts';
import { formToken, type Page, renderPage } from '../../pages/layout.ts';
import { canMailLinks } from '../../pages/link-to.ts';
import { message, note } from '../../pages/message.ts';
import { leaveNotice } from '../../pages/notice.ts';
import type { Route } from '../../pages/route.ts';
import { INVITATION_PATH } from '../../users/invitations.ts';
import { MIN_PASSWORD_LENGTH } from '../../users/password.ts';
import type { User, UserWithHash } from '../../users/user.ts';
import { endEarlierSession, enterWith } from './enter.ts';
import { toCodePage } from './login-code.ts';
import { FORGOTTEN_PATH } from './login-form.ts';
import { noteLogin } from './note-login.ts';

const path = `${INVITATION_PATH}/:token`;

export const invitationRoutes: Route[] = [
  { method: 'GET', path, permission: 'anyone', run: open },
  { method: 'POST', path, permission: 'anyone', run: accept },
];

async function open(context: PageContext) {
  const user = await context.app.acceptInvitation.find(context.parameters.token ?? '');
  return user ? showForm(context, user) : showVoid(context);
}

async function accept(context: PageContext) {
  const { form, parameters, settings, request, messages } = context;
  const accepted = await context.app.acceptInvitation.accept(parameters.token ?? '', {
    password: form.get('password') ?? '',
    title: settings.title,
    ip: request.clientIp(),
  });
  if (accepted.ok) return enter(context, accepted.value);
  const { problem } = accepted;
  if (problem.kind === 'void') return showVoid(context);
  return showForm(context, problem.user, messages.account.passwordIssues[problem.issue](MIN_PASSWORD_LENGTH));
}

/** A user who has a second factor enters its code first. A user who still has to set one up is sent there. */
async function enter(context: PageContext, user: UserWithHash): Promise<Response> {
  const { request } = context;
  const agent = request.headers['user-agent'] ?? '';
  const entered = await context.app.loginAfterPassword(user, { ip: request.clientIp(), agent, stays: false });
  if (entered)
    noteLogin(context, { account: user.email, result: 'session' in entered ? 'success' : 'code-asked' });
  if (entered && 'session' in entered) {
    leaveNotice(context, 'passwordChosen', '/');
    return enterWith(context, entered.session, '/');
  }
  // The form promises that saving ends the session of another user. This does not wait for the code.
  await endEarlierSession(context);
  writeCookie(context, { name: SESSION_COOKIE, value: '', maxAge: 0 });
  return entered ? toCodePage(context, entered.pendingToken) : showDone(context);
}

function showForm(context: PageContext, { id, name, email }: User, error?: string): Response {
  const { invitation: text, login, account } = context.messages;
  const other = context.user?.id === id ? undefined : context.user?.name;
  return show(context, {
    title: text.title,
    issues: { password: error },
    content: html`<p>${text.intro(name)}</p>${other !== undefined && note('info', text.replaces(other))}
<form method="post" action="${context.path}">${formToken(context)}
<div class="field"><label for="username">${text.account}</label><input id="username" name="username" type="email" value="${email}" autocomplete="username" readonly></div>
${textField({
  name: 'password',
  label: login.password,
  type: 'password',
  hint: account.nextHint(MIN_PASSWORD_LENGTH),
  error,
  required: true,
  autocomplete: 'new-password',
  autofocus: true,
})}
<button class="button primary wide" type="submit">${text.button}</button></form>`,
  });
}

function showDone(context: PageContext): Response {
  const { invitation: text } = context.messages;
  return show(context, {
    title: text.done,
    message: message('success', text.doneWhat),
    content: html`<p><a class="button primary wide" href="/login?local">${text.login}</a></p>`,
  });
}

async function showVoid(context: PageContext): Promise<Response> {
  const { invitation: text, login } = context.messages;
  const canAsk = await canMailLinks(context);
  const another = html`<p><a class="button primary wide" href="${FORGOTTEN_PATH}">${login.forgotten.button}</a></p>`;
  return show(context, {
    title: text.void,
    status: 404,
    message: message('warning', canAsk ? text.voidOrAsk : text.voidWhat),
    content: html`${canAsk && another}<p><a class="button wide" href="/login?local">${text.login}</a></p>`,
  });
}

/** Shows the page without navigation, even if another user is signed in in this browser. */
function show(context: PageContext, { content, ...page }: Page): Response {
  const { user, session, ...outside } = context;
  return renderPage(outside, {
    ...page,
    content: html`<section class="card"><h1>${page.title}</h1>${content}</section>`,
  });
}
