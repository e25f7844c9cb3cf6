// The page that an invitation link opens. Here the user sets a password. The link becomes invalid when the form is
// sent, not when the page is opened, because chat and mail programs may open the link for a preview.

import { MIN_PASSWORD_LENGTH } from '../../../domain/users/password.ts';
import type { User } from '../../../domain/users/user.ts';
import type { PageContext } from '../../http/context.ts';
import { INVITATION_PATH } from '../../http/link-to.ts';
import type { Route } from '../../http/route.ts';
import { textField } from '../../ui/fields.ts';
import { html } from '../../ui/html.ts';
import { formToken, type Page, renderPage } from '../../ui/layout.ts';
import { message } from '../../ui/message.ts';

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
  if (accepted.ok) return showDone(context);
  const { problem } = accepted;
  if (problem.kind === 'void') return showVoid(context);
  return showForm(context, problem.user, messages.account.passwordIssues[problem.issue](MIN_PASSWORD_LENGTH));
}

function showForm(context: PageContext, { name, email }: User, error?: string): Response {
  const { invitation: text, login, account } = context.messages;
  return show(context, {
    title: text.title,
    issues: { password: error },
    content: html`<p>${text.intro(name)}</p>
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

function showVoid(context: PageContext): Response {
  const { invitation: text } = context.messages;
  return show(context, {
    title: text.void,
    status: 404,
    message: message('warning', text.voidWhat),
    content: html`<p><a class="button wide" href="/login?local">${text.login}</a></p>`,
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
