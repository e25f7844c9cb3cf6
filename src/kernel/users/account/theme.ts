// The choice of the theme for this device.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { AuthenticatedContext, PageContext } from '../../pages/context.ts';
import { writeThemeCookie } from '../../pages/cookies.ts';
import { formToken, redirect } from '../../pages/layout.ts';
import type { Route } from '../../pages/route.ts';
import { THEMES, themeOf } from '../../pages/theme.ts';
import { nextOf } from '../../sessions/pages/login-form.ts';

export const themeRoutes: Route[] = [{ method: 'POST', path: '/theme', permission: 'anyone', run: choose }];

function choose(context: PageContext) {
  writeThemeCookie(context, themeOf(context.form.get('theme')));
  return redirect(context, nextOf(context));
}

export function themeCard(context: AuthenticatedContext): Html {
  const { theme: text } = context.messages;
  return html`<section class="card"><h2>${text.title}</h2><p class="soft">${text.hint}</p>
<form method="post" action="/theme">${formToken(context)}<input type="hidden" name="next" value="/account">
<div class="actions">${THEMES.map(
    (theme) =>
      html`<button class="button" name="theme" value="${theme}"${theme === context.theme && html` aria-pressed="true"`}>${text.names[theme]}</button>`,
  )}</div></form></section>`;
}
