// The confirmation page that is shown before a destructive action. It names the object, states the consequences and
// offers a way back.

import { type Html, html } from '../../platform/pages/ui/html.ts';
import type { AuthenticatedContext } from './context.ts';
import { formToken, oneTimeToken, renderPage } from './layout.ts';
import { note } from './message.ts';

export interface Question {
  ask: string;
  what: string;
  /** Shown below `what`, for example a table of figures. */
  details?: Html;
  /** The path the form is posted to. */
  action: string;
  /** Fields of the form, hidden or above the button. */
  fields?: Html;
  button: string;
  back: string;
  /** The path of the menu item to highlight, if it does not follow from the page's own path. */
  under?: string;
  /** True if the action destroys nothing. Its button is then not red. */
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

/** A list of what else the action affects, for `details`. Empty without lines. */
export function affected(intro: string, lines: string[]): Html {
  return html`${lines.length > 0 && html`<p>${intro}</p><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`}`;
}
