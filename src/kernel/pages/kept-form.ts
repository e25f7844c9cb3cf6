// A kept form is a form that was not accepted and can be sent again. The page shows its action and all its fields, so
// that the user can check them: somebody else may have filled in the form. Sending it may require the password again.

import { factList } from '../../platform/pages/ui/fact-list.ts';
import { type FormTexts, readFormTexts } from '../../platform/pages/ui/form-texts.ts';
import { type Html, html, type Piece } from '../../platform/pages/ui/html.ts';
import { sayDay } from '../../platform/texts/durations.ts';
import type { PageContext } from './context.ts';
import type { Draft } from './drafts.ts';
import { fetchPageText } from './fetch-page-text.ts';
import { formToken } from './layout.ts';

/** The hidden field that marks a kept form when it is sent again. */
export const KEPT_FIELD = 'confirm-kept';
/** Fields that are not shown, because they do not affect what the form does. */
const NOT_SHOWN = ['once', 'token', 'batch', 'shown', 'events', 'paper', KEPT_FIELD];
/** Fields that the service has encrypted. Their text is not shown, because nobody could read it. */
const ENCRYPTED = ['sealed'];

/** Shown for a field that was left empty. */
const NOTHING = '–';

/**
 * Shows the fields of a kept form. Their labels and choices are read from the page with the form. Fields without a
 * label come last, under their internal names. `sessionToken` is needed if this request began the session, because the
 * cookie of the request does not contain the token yet.
 */
export async function keptFields(
  context: PageContext,
  { action, page, fields }: Draft,
  sessionToken?: string,
): Promise<Html> {
  const { draft: text, admin } = context.messages;
  const opened = await fetchPageText(context, page, sessionToken);
  const form = readFormTexts(opened, action);
  // Later steps of the site wizard cannot be opened directly. The page of the first step has most of their labels.
  const texts = (form ?? readFormTexts(opened, page))?.fields;
  const labelled: { label: string; value: string }[] = [];
  const others: Html[] = [];
  for (const [name, value] of fields.filter(([name]) => !NOT_SHOWN.includes(name))) {
    const field = texts?.get(name);
    const choice = field?.choices.get(value);
    const said = choice ?? (field?.type === 'date' ? sayDate(context, value) : value);
    const before = labelled.at(-1);
    if (field?.isUnit && before) before.value += before.value === NOTHING ? '' : ` ${said}`;
    else if (field?.label) labelled.push({ label: field.label, value: said || NOTHING });
    else if (choice) labelled.push({ label: choice, value: admin.yes });
    else others.push(html`<code>${name}: ${ENCRYPTED.includes(name) ? '••••' : value}</code><br>`);
  }
  const facts = Map.groupBy(labelled, ({ label }) => label);
  return html`<h2>${text.entered}</h2>${factList([
    [text.action, form ? sayForm(form) : html`<code>${action}</code>`],
    ...[...facts].map(([label, all]): [string, Piece] => [
      label,
      html`<span class="lines">${all.map(({ value }) => value).join(', ')}</span>`,
    ]),
    ...(others.length > 0 ? [[text.others, others] satisfies [string, Piece]] : []),
  ])}`;
}

/** Describes a form by the heading of its page and its button. If both texts are equal, one is enough. */
function sayForm({ title, button }: FormTexts): string {
  return [...new Set([title, button])].filter(Boolean).join(' – ');
}

/** Formats the value of a date field. */
function sayDate({ language }: PageContext, day: string): string {
  const ms = Date.parse(day);
  return Number.isNaN(ms) ? day : sayDay(ms, { language, timeZone: 'UTC' });
}

export function keptForm(context: PageContext, { action, fields }: Draft, button: Html): Html {
  const sent = fields.filter(([name]) => name !== 'token' && name !== KEPT_FIELD);
  return html`<form method="post" action="${action}">${formToken(context)}${sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="${KEPT_FIELD}" value="1">${button}</form>`;
}
