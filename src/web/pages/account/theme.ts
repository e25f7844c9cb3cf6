// The choice of the theme for this device.

import type { AuthenticatedContext, PageContext } from '../../http/context.ts';
import { writeThemeCookie } from '../../http/cookies.ts';
import type { Route } from '../../http/route.ts';
import { THEMES, themeOf } from '../../http/theme.ts';
import { type Html, html } from '../../ui/html.ts';
import { formToken, redirect } from '../../ui/layout.ts';
import { nextOf } from '../login/login-form.ts';

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
