// Creates the first administrator while there are no users. This requires the setup token from the service's output.

import { textField } from '../../../platform/pages/ui/fields.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { sayWait } from '../../../platform/texts/durations.ts';
import type { PageContext } from '../../pages/context.ts';
import { formToken, redirect, renderPage } from '../../pages/layout.ts';
import { message } from '../../pages/message.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Route } from '../../pages/route.ts';
import type { FirstAdminProblem } from '../../users/first-admin.ts';
import { MIN_PASSWORD_LENGTH } from '../../users/password.ts';

const STATUS = { 'wrong-token': 401, wait: 429, faulty: 422 } as const satisfies Record<
  FirstAdminProblem['kind'],
  number
>;

export const setupRoutes: Route[] = [
  { method: 'GET', path: '/setup', permission: 'anyone', run: whileNobodyIsThere(show) },
  { method: 'POST', path: '/setup', permission: 'anyone', run: whileNobodyIsThere(create) },
];

function whileNobodyIsThere(run: (context: PageContext) => Response | Promise<Response>) {
  return async (context: PageContext) =>
    (await context.app.firstAdmin.isNobodyThere()) ? run(context) : notFoundPage(context);
}

async function create(context: PageContext) {
  const { form, request, settings } = context;
  const text = (name: string) => form.get(name) ?? '';
  const made = await context.app.makeFirstAdmin({
    token: text('setup-token'),
    email: text('email'),
    name: text('name'),
    password: text('password'),
    title: settings.title,
    ip: request.clientIp(),
  });
  return made.ok ? redirect(context, '/login', 'accountMade') : show(context, made.problem);
}

async function show(context: PageContext, problem?: FirstAdminProblem) {
  const { messages, form } = context;
  const { setup: text, login, account } = messages;
  const faulty = problem?.kind === 'faulty' ? problem.fields : [];
  const issue = problem?.kind === 'faulty' ? problem.password : undefined;
  const issues = {
    'setup-token': problem?.kind === 'wrong-token' ? text.wrongToken : undefined,
    name: faulty.includes('name') ? messages.form.nameMissing : undefined,
    email: faulty.includes('email') ? text.emailInvalid : undefined,
    password: issue && account.passwordIssues[issue](MIN_PASSWORD_LENGTH),
  };
  return renderPage(context, {
    title: text.title,
    status: problem ? STATUS[problem.kind] : 200,
    message:
      problem?.kind === 'wait'
        ? message('error', login.wait(sayWait(problem.seconds, context.language)))
        : undefined,
    issues,
    content: html`<section class="card"><h1>${text.title}</h1><p>${text.intro}</p>
<form method="post" action="/setup">${formToken(context)}
${textField({ name: 'setup-token', label: text.token, hint: text.tokenHint, value: form.get('setup-token') ?? '', required: true, error: issues['setup-token'] })}
${textField({ name: 'name', label: text.name, value: form.get('name') ?? '', autocomplete: 'name', required: true, error: issues.name })}
${textField({ name: 'email', label: login.email, type: 'email', value: form.get('email') ?? '', autocomplete: 'username', required: true, error: issues.email })}
${textField({ name: 'password', label: login.password, type: 'password', hint: account.nextHint(MIN_PASSWORD_LENGTH), autocomplete: 'new-password', required: true, error: issues.password })}
<button class="button primary wide" type="submit">${text.button}</button></form></section>`,
  });
}
