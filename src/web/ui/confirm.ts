// The confirmation page in front of a destructive action: it names the object, states the consequences and offers
// a way back.

import type { AuthenticatedContext } from '../http/context.ts';
import { type Html, html } from './html.ts';
import { formToken, oneTimeToken, renderPage } from './layout.ts';
import { note } from './message.ts';

export interface Question {
  ask: string;
  what: string;
  /** Shown below `what`, for example a table of figures. */
  details?: Html;
  /** The path the form is posted to. */
  action: string;
  /** Hidden fields of the form. */
  fields?: Html;
  button: string;
  back: string;
  /** The menu item of the page, if its path does not tell. */
  under?: string;
  /** The action destroys nothing, so its button is not red. */
  isHarmless?: boolean;
}

export function confirm(
  context: AuthenticatedContext,
  { ask, what, details, action, fields, button, back, under, isHarmless }: Question,
): Response {
  return renderPage(context, {
    title: ask,
    ...(under && { under }),
    content: html`<section class="card"><h1>${ask}</h1>${note(isHarmless ? 'info' : 'warning', what)}${details}
<form method="post" action="${action}">${formToken(context)}${oneTimeToken()}${fields}<div class="actions">
<button class="button ${isHarmless ? 'primary' : 'danger'}" type="submit">${button}</button><a class="button" href="${back}">${context.messages.admin.cancel}</a></div></form></section>`,
  });
}
