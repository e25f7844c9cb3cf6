// Pages on which administrators manage second factors. They set which users must have one, and remove the second factor
// of a user who has lost the phone.

import { selectField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, redirect } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import type { Settings } from '../../settings/settings.ts';
import type { User } from '../user.ts';
import { others, withUser } from './with-user.ts';

const RULE = '/second-factor';
const KINDS: Settings['secondFactorFor'][] = ['nobody', 'admins', 'everyone'];

const path = '/users/:user/second-factor';

export const userSecondFactorRoutes: Route[] = [
  {
    method: 'POST',
    path: RULE,
    formAt: '/users',
    permission: 'admin',
    recentPassword: true,
    run: changeRule,
  },
  // Administrators turn off their own second factor on the account page.
  { method: 'GET', path, permission: 'admin', run: withUser(others(ask)) },
  { method: 'POST', path, permission: 'admin', recentPassword: true, run: withUser(others(remove)) },
];

async function changeRule(context: AuthenticatedContext) {
  const secondFactorFor = KINDS.find((kind) => kind === context.form.get('required'));
  if (secondFactorFor && secondFactorFor !== context.settings.secondFactorFor)
    await context.app.settings.change({ secondFactorFor }, auditContextOf(context));
  return redirect(context, '/users', 'secondFactorRule');
}

async function remove(context: AuthenticatedContext, user: User) {
  await context.app.secondFactors.remove(user, auditContextOf(context));
  return redirect(context, `/users/${user.id}`, 'secondFactorRemoved');
}

function ask(context: AuthenticatedContext, { id, name }: User): Response {
  const { users: text } = context.messages.secondFactor;
  return confirm(context, {
    ask: text.removeAsk(name),
    what: text.removeWhat,
    action: `/users/${id}/second-factor`,
    button: text.remove,
    back: `/users/${id}`,
  });
}

/** The setting that defines which users must have a second factor. */
export function ruleCard(context: AuthenticatedContext): Html {
  const { admin, secondFactor } = context.messages;
  const { users: text } = secondFactor;
  return html`<section class="card"><h2>${secondFactor.title}</h2><form method="post" action="${RULE}">${formToken(context)}
${selectField({
  name: 'required',
  label: text.rule,
  hint: text.ruleHint,
  value: context.settings.secondFactorFor,
  choices: KINDS.map((value) => ({ value, label: text[value] })),
})}
<button class="button" type="submit">${admin.save}</button></form></section>`;
}
