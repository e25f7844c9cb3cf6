// The logout of a user whom the identity provider has signed in.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { renderPage } from '../../../kernel/pages/layout.ts';
import { linkTo } from '../../../kernel/pages/link-to.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { SINGLE_SIGN_ON_TEXTS } from '../single-sign-on-texts.ts';

export function logout(context: AuthenticatedContext, endSession: () => Promise<void>) {
  const { app, session } = context;
  return app.logout({ session, endSession, returnTo: linkTo(context, '/login') });
}

/**
 * Shows a page that leads to the logout at the identity provider. A redirect is not possible, because the CSP does not
 * allow the logout form to be redirected to another host.
 */
export function showLogout({ user, session, ...context }: AuthenticatedContext, url: string): Response {
  const text = SINGLE_SIGN_ON_TEXTS[context.language];
  return renderPage(context, {
    title: text.loggedOut,
    refresh: `0; url=${url}`,
    content: html`<section class="card"><h1>${text.loggedOut}</h1><p>${text.logoutThere}</p>
<p class="actions"><a class="button primary" href="${url}">${text.logoutButton}</a></p></section>`,
  });
}
