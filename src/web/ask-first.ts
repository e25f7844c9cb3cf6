// The page that asks before something dangerous: names the thing, says what follows, and leads back.

import type { Answer } from '../http/exchange.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import { answerPage, formToken, sentOnce } from './layout.ts';
import type { UserVisit } from './visit.ts';

export interface Question {
  ask: string;
  what: string;
  /** Stands below it: figures, where a sentence would not do. */
  details?: Html;
  /** Where the form is sent. */
  action: string;
  button: string;
  back: string;
}

export function askFirst(visit: UserVisit, { ask, what, details, action, button, back }: Question): Answer {
  return answerPage(visit, {
    title: ask,
    content: html`<section class="card"><h1>${ask}</h1><p class="note warn">${icon('warning')}<span>${what}</span></p>${details}
<form method="post" action="${action}">${formToken(visit)}${sentOnce()}<div class="actions">
<button class="button danger" type="submit">${button}</button><a class="button" href="${back}">${visit.words.admin.cancel}</a></div></form></section>`,
  });
}
