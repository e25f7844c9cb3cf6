// A form that was not accepted and is offered once more. It shows what it does and every field, because the user may not
// remember it, or somebody else may have filled it in. Routes that ask for the password ask for it in any case.

import { sayDay } from '../../i18n/durations.ts';
import type { PageContext } from '../http/context.ts';
import type { Draft } from '../http/drafts.ts';
import { fetchPageText } from '../http/fetch-page-text.ts';
import { factList } from './fact-list.ts';
import { type FormTexts, readFormTexts } from './form-texts.ts';
import { type Html, html, type Piece } from './html.ts';
import { formToken } from './layout.ts';

/** Marks a form that is sent from such a page. */
export const KEPT_FIELD = 'confirm-kept';
/** Have no effect of their own. */
const NOT_SHOWN = ['once', 'token', 'batch', 'events', 'paper', KEPT_FIELD];
/** Encrypted by the service; the text says nothing to a reader. */
const ENCRYPTED = ['sealed'];

/** A field that was left empty. */
const NOTHING = '–';

/**
 * Shows the fields with the labels and choices of the form, which are read from its page. Fields that the page does not
 * label come last, with their names. `sessionToken` is needed if the request itself began the session.
 */
export async function keptFields(
  context: PageContext,
  { action, page, fields }: Draft,
  sessionToken?: string,
): Promise<Html> {
  const { draft: text, admin } = context.messages;
  const opened = await fetchPageText(context, page, sessionToken);
  const form = readFormTexts(opened, action);
  // A later step of the site wizard has no page of its own; the first step has labels for most of its fields.
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

/** The heading of the page and the button, which may say the same. */
function sayForm({ title, button }: FormTexts): string {
  return [...new Set([title, button])].filter(Boolean).join(' – ');
}

/** A day as the date field sends it. */
function sayDate({ language }: PageContext, day: string): string {
  const ms = Date.parse(day);
  return Number.isNaN(ms) ? day : sayDay(ms, { language, timeZone: 'UTC' });
}

export function keptForm(context: PageContext, { action, fields }: Draft, button: Html): Html {
  const sent = fields.filter(([name]) => name !== 'token' && name !== KEPT_FIELD);
  return html`<form method="post" action="${action}">${formToken(context)}${sent.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="hidden" name="${KEPT_FIELD}" value="1">${button}</form>`;
}
