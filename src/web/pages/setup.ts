// The first administrator, while there is nobody. Whoever has the token from the service's output makes it.

import type { FirstAdminProblem, FirstAdminStore, MakeFirstAdmin } from '../../domain/users/first-admin.ts';
import { SHORTEST_PASSWORD } from '../../domain/users/password.ts';
import { problemPage } from '../answer-visits.ts';
import { textField } from '../fields.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { Visit } from '../visit.ts';

interface Needs {
  firstAdmin: Pick<FirstAdminStore, 'isNobodyThere'>;
  makeFirstAdmin: MakeFirstAdmin;
}

const STATUS: Record<FirstAdminProblem['kind'], number> = { 'wrong-token': 401, wait: 429, faulty: 422 };

export function makeSetupPages({ firstAdmin, makeFirstAdmin }: Needs): Route[] {
  return [
    { method: 'GET', path: '/setup', access: 'anyone', run: (visit) => whileNobodyIsThere(visit, show) },
    { method: 'POST', path: '/setup', access: 'anyone', run: (visit) => whileNobodyIsThere(visit, create) },
  ];

  async function whileNobodyIsThere(visit: Visit, run: (visit: Visit) => ReturnType<typeof create>) {
    if (await firstAdmin.isNobodyThere()) return run(visit);
    return problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function create(visit: Visit) {
    const { form, request } = visit;
    const text = (name: string) => form.get(name) ?? '';
    const made = await makeFirstAdmin({
      token: text('setup-token'),
      email: text('email'),
      name: text('name'),
      password: text('password'),
      address: request.clientAddress(),
    });
    return made.ok ? redirect('/login') : show(visit, made.problem);
  }

  async function show(visit: Visit, problem?: FirstAdminProblem) {
    const { words, form } = visit;
    const { setup: text, signIn, account } = words;
    const faulty = problem?.kind === 'faulty' ? problem.fields : [];
    const note =
      problem?.kind === 'wait'
        ? signIn.wait(problem.seconds)
        : problem?.kind === 'wrong-token'
          ? text.wrongToken
          : undefined;
    return answerPage(visit, {
      title: text.title,
      status: problem ? STATUS[problem.kind] : 200,
      content: html`<section class="card"><h1>${text.title}</h1><p>${text.intro}</p>
${note && html`<p class="note bad" role="alert">${icon('warning')}<span>${note}</span></p>`}
<form method="post" action="/setup">${formToken(visit)}
${textField({ name: 'setup-token', label: text.token, hint: text.tokenHint, value: form.get('setup-token') ?? '', required: true })}
${textField({ name: 'name', label: text.name, value: form.get('name') ?? '', autocomplete: 'name', required: true, ...(faulty.includes('name') && { error: words.form.nameMissing }) })}
${textField({ name: 'email', label: signIn.email, type: 'email', value: form.get('email') ?? '', autocomplete: 'username', required: true, ...(faulty.includes('email') && { error: text.emailFaulty }) })}
${textField({ name: 'password', label: signIn.password, type: 'password', hint: account.nextHint(SHORTEST_PASSWORD), autocomplete: 'new-password', required: true, ...(faulty.includes('password') && { error: account.tooShort(SHORTEST_PASSWORD) }) })}
<button class="button primary wide" type="submit">${text.button}</button></form></section>`,
    });
  }
}
