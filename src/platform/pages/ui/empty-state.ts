// Shown instead of an empty list: a text that says what is missing, and a button for the next step.

import { type Html, html } from './html.ts';
import { type IconName, icon } from './icons.ts';

interface Action {
  href: string;
  label: string;
  isPrimary?: boolean;
}

export function emptyState(shape: IconName, what: string, action?: Action): Html {
  return html`<div class="empty">${icon(shape)}<p>${what}</p>${action && html`<a class="button${action.isPrimary && ' primary'}" href="${action.href}">${action.label}</a>`}</div>`;
}
