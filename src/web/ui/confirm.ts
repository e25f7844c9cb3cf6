// The confirmation page in front of a destructive action: it names the object, states the consequences and offers
// a way back.

import type { AuthenticatedContext } from '../http/context.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { formToken, oneTimeToken, renderPage } from './layout.ts';

export interface Question {
  ask: string;
  what: string;
  /** Shown below `what`, for example a table of figures. */
  details?: Html;
  /** The path the form is posted to. */
  action: string;
  button: string;
  back: string;
}

export function confirm(
  context: AuthenticatedContext,
  { ask, what, details, action, button, back }: Question,
): Response {
  return renderPage(context, {
    title: ask,
    content: html`<section class="card"><h1>${ask}</h1><p class="note warn">${icon('warning')}<span>${what}</span></p>${details}
<form method="post" action="${action}">${formToken(context)}${oneTimeToken()}<div class="actions">
<button class="button danger" type="submit">${button}</button><a class="button" href="${back}">${context.messages.admin.cancel}</a></div></form></section>`,
  });
}
