// The list of concerns on the overview: what is wrong, since when, and a button that leads to the page where it is
// fixed. Equal concerns, such as all sites of a console that does not answer, are folded into one line that opens.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { listNames } from '../../../platform/texts/name-list.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { note } from '../../pages/message.ts';
import { comparison } from '../../sites/pages/site-view.ts';
import type { Concern } from '../concern.ts';

/** The smallest number of equal concerns that are folded. */
const FOLDED_FROM = 3;

/** The list of concerns. Screen readers announce it when a refresh changes it. */
export function concernList(context: AuthenticatedContext, concerns: Concern[]): Html {
  const { overview: text } = context.messages;
  const well = note('success', text.allWell);
  const groups = [...Map.groupBy(concerns, ({ likeness }) => likeness).values()];
  const list = html`<section class="card bad"><h2>${text.attention}</h2><ul class="concerns">${groups.map(
    (equal) =>
      equal.length < FOLDED_FROM
        ? equal.map(
            (concern) =>
              html`<li>${icon('warning')}${line(context, concern, concern.advice?.(context, concern.figures ?? []))}</li>`,
          )
        : folded(context, equal),
  )}</ul></section>`;
  return html`<div id="problems" data-part aria-live="polite">${concerns.length === 0 ? well : list}</div>`;
}

function line(context: AuthenticatedContext, concern: Concern, advice?: string): Html {
  const what = concern.what(context, concern.who?.(context) ?? concern.name ?? '', concern.figures ?? []);
  const detail = [...sayWhen(context, concern), advice].filter((said) => said !== undefined).join(' ');
  const { href, label: button, compared } = concern.way(context);
  const label = html`${button}<span class="hidden-text">: ${what}</span>`;
  return html`<div><strong>${what}</strong>${detail && html`<br>${detail}`}</div>${compared ? comparison(context, compared, label) : html`<a class="button mend" href="${href}">${label}</a>`}`;
}

/** What differs between equal concerns. */
function sayWhen(context: AuthenticatedContext, { sinceMs, when }: Concern): (string | undefined)[] {
  const since = sinceMs == null ? undefined : context.messages.overview.since(sayTime(sinceMs, context));
  return [since, when?.(context)];
}

/** One line for all. It opens without JavaScript. */
function folded(context: AuthenticatedContext, equal: Concern[]): Html {
  const { messages, language } = context;
  const { overview: text } = messages;
  const [first] = equal;
  const figures = equal
    .map(({ figures: own = [] }) => own)
    .reduce((sums, own) => sums.map((sum, n) => (first?.join ?? add)(sum, own[n] ?? 0)));
  const what = first?.what(context, first.all?.(context, equal.length) ?? '', figures);
  const names = listNames(
    equal.map(({ name = '' }) => name),
    { rest: text.others, language },
  );
  return html`<li><details><summary class="folded">${icon('warning')}<span><strong>${what}</strong><br>${names}<br>${first?.advice?.(context, figures)}</span><span class="button">${text.showEach}</span></summary>
<ul>${equal.map((concern) => html`<li>${line(context, concern)}</li>`)}</ul></details></li>`;
}

const add = (one: number, other: number) => one + other;
