// The accounts at the identity provider that are linked to a user, on the page of the user.

import { confirm } from '../../../kernel/pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../../kernel/pages/context.ts';
import { redirect } from '../../../kernel/pages/layout.ts';
import { adminRoutes, type Route } from '../../../kernel/pages/route.ts';
import { others, withUser } from '../../../kernel/users/pages/with-user.ts';
import type { User } from '../../../kernel/users/user.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { SINGLE_SIGN_ON_TEXTS } from '../single-sign-on-texts.ts';

const { get, post } = adminRoutes('/users/:user');

export const identityRoutes: Route[] = [
  get('/unlink', withUser(others(askUnlink))),
  post('/unlink', withUser(others(unlink))),
];

/** Empty if there are none. */
export async function identityCard({ app, language }: AuthenticatedContext, { id }: User): Promise<Html> {
  const identities = await app.identities.listOf(id);
  const text = SINGLE_SIGN_ON_TEXTS[language];
  if (identities.length === 0) return html``;
  return html`<section class="card"><h2>${text.linked}</h2>${identities.map(
    ({ email, subject, issuer }) => html`<p>${email}<br><span class="soft">${subject} · ${issuer}</span></p>`,
  )}
<p class="actions"><a class="button risky" href="/users/${id}/unlink">${text.unlink}</a></p></section>`;
}

async function unlink(context: AuthenticatedContext, user: User) {
  await context.app.identities.unlink(user, auditContextOf(context));
  return redirect(context, `/users/${user.id}`, 'userUnlinked');
}

function askUnlink(context: AuthenticatedContext, { id, name }: User) {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  return confirm(context, {
    ask: text.unlinkAsk(name),
    what: text.unlinkWhat,
    action: `/users/${id}/unlink`,
    button: text.unlink,
    back: `/users/${id}`,
  });
}
