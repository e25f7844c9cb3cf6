// Routes with `recentPassword` run only if the user has entered the password in the last minutes. Otherwise a page asks
// for the password and then sends the same form again. Users without a password sign in at the identity provider again.
// Users of a trusted proxy are not asked. For a kept form, users with a password must always enter it, because another
// user may have filled in the form.

import { textField } from '../../../platform/pages/ui/fields.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { type AuthenticatedContext, loginProviderOf } from '../../pages/context.ts';
import { KEPT_FIELD } from '../../pages/kept-form.ts';
import { formToken, renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import { refererOf } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import type { PasswordProblem } from '../verify-password.ts';
import { isRecent } from '../web-session.ts';
import { httpStatusOf, ownPath, sayProblem, withNext } from './login-form.ts';
import { noteLogin } from './note-login.ts';

const FIELD = 'confirm-password';
/** The page with the original form. The cancel button leads to this page, even after a wrong password. */
const BACK_FIELD = 'confirm-back';

/** Checks the password of the signed-in user. Logs and counts failed checks. */
export async function checkOwnPassword(context: AuthenticatedContext, password: string) {
  const { app, request, user } = context;
  const checked = await app.confirmPassword(context, { password, ip: request.clientIp() });
  if (!checked.ok) {
    const { kind } = checked.problem;
    const result = kind === 'wrong-credentials' ? 'wrong-confirmation' : kind;
    noteLogin(context, { account: user.email, result });
  }
  return checked;
}

export function withRecentPassword(route: Route): Route {
  if (!('recentPassword' in route)) return route;
  return {
    ...route,
    async run(context: AuthenticatedContext) {
      const mustAsk = !isRecent(context.session, context.nowMs);
      if (!mustAsk && !context.form.has(KEPT_FIELD)) return route.run(context);
      // The proxy authenticates the user with every request, so no password is needed.
      if (context.session.external === 'proxy') return route.run(context);
      if (!(await context.app.hasPassword(context.user)))
        return mustAsk ? askProvider(context) : route.run(context);
      const password = context.form.get(FIELD);
      if (password === null) return ask(context);
      const checked = await checkOwnPassword(context, password);
      if (!checked.ok) return ask(context, checked.problem);
      for (const name of [FIELD, BACK_FIELD, KEPT_FIELD]) context.form.delete(name);
      return route.run(context);
    },
  };
}

/** Asks the user to sign in at the provider again. Then the page with the form opens, without the typed values. */
function askProvider(context: AuthenticatedContext): Response {
  const { confirmation: text, admin } = context.messages;
  const back = ownPath(refererOf(context) ?? null);
  const again = againUrl(context, back);
  return renderPage(context, {
    title: text.again,
    status: 401,
    content: html`<section class="card"><h1>${text.again}</h1>${note('info', text.whyAgain)}
<div class="actions">${again !== undefined && html`<a class="button primary" href="${again}">${text.loginAgain}</a>`}<a class="button" href="${back}">${admin.cancel}</a></div></section>`,
  });
}

/** Asks for the password. The status of the response is an error, so that the form's one-time token stays valid. */
function ask(context: AuthenticatedContext, problem?: PasswordProblem): Response {
  const { messages, form, path, request, user, session } = context;
  const { confirmation: text } = messages;
  const isWrong = problem?.kind === 'wrong-credentials';
  const issue = problem && (isWrong ? text.wrong : sayProblem(problem, context));
  const back = ownPath(form.get(BACK_FIELD) ?? refererOf(context) ?? null);
  const again = againUrl(context, back);
  const kept = [...form].filter(([name]) => ![FIELD, BACK_FIELD, 'token'].includes(name));
  return renderPage(context, {
    title: text.title,
    status: problem ? httpStatusOf(problem) : 401,
    issues: { [FIELD]: issue },
    headers: problem && 'seconds' in problem ? { 'retry-after': String(problem.seconds) } : {},
    content: html`<section class="card"><h1>${text.title}</h1>${note('info', text.why)}
<form method="post" action="${path}${request.query && `?${request.query}`}">${formToken(context)}
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="${BACK_FIELD}" value="${back}"><input type="hidden" autocomplete="username" value="${user.email}">
${textField({
  name: FIELD,
  label: text.password,
  type: 'password',
  error: issue,
  required: true,
  autocomplete: 'current-password',
  autofocus: true,
})}
<div class="actions"><button class="button primary" type="submit">${text.button}</button>${session.external === 'provider' && again !== undefined && html`<a class="button" href="${again}">${text.loginAgain}</a>`}<a class="button" href="${back}">${messages.admin.cancel}</a></div></form></section>`,
  });
}

function againUrl(context: AuthenticatedContext, back: string): string | undefined {
  const provider = loginProviderOf(context);
  return provider && `${withNext(provider.path, back)}&again=1`;
}
