// The search above the list of vouchers: text, time of creation, state and site in one line, and the number of results.
// With JavaScript the list is updated while the user types or chooses (live-search.js); without it, a button submits
// the form.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { localeOf } from '../../../platform/texts/durations.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import type { Site } from '../../sites/site.ts';
import { CREATED_PERIODS } from '../created-period.ts';
import { MAX_COUNTED, type ResultCount } from '../voucher-search.ts';
import { VOUCHER_STATES } from '../voucher-state.ts';
import type { SearchInput } from './read-search.ts';

export function searchForm({ messages }: AuthenticatedContext, sites: Site[], input: SearchInput): Html {
  const { list, form } = messages;
  const { chosen, text, state, period, sort } = input;
  const { any, ...periods } = list.periods;
  return html`<form class="filters" method="get" action="/vouchers" role="search" autocomplete="off" data-live>
<input id="q" name="q" type="search" value="${text}" aria-label="${list.search}" placeholder="${list.search}">
${menu('created', list.created, [['', any], ...CREATED_PERIODS.map((one) => [one, periods[one]] as const)], period)}
${menu('state', list.state, [['', list.allStates], ...VOUCHER_STATES.map((one) => [one, list.states[one]] as const)], state)}
${sites.length > 1 && menu('site', form.site, [['', list.allSites], ...sites.map(({ id, name }) => [String(id), name] as const)], chosen && String(chosen.id))}
${sort !== 'newest' && html`<input type="hidden" name="sort" value="${sort}">`}
<noscript><button class="button" type="submit">${icon('search')}${list.find}</button></noscript></form>`;
}

/** A menu that shows the chosen value. */
function menu(
  name: string,
  label: string,
  options: (readonly [value: string, label: string])[],
  chosen = '',
): Html {
  return html`<select id="${name}" name="${name}" aria-label="${label}">${options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}</select>`;
}

/** The number of results. Screen readers announce changes. Only the first page of results has a count. */
export function resultCount({ messages, language }: AuthenticatedContext, count?: ResultCount): Html {
  return html`<p class="soft" id="result-count" role="status">${count && sayCount()}</p>`;

  function sayCount(): string | undefined {
    if (!count) return undefined;
    const { counted, countedMore, countedAtLeast, noneYet, none } = messages.list;
    const { found, isComplete } = count;
    const number = (value: number) => value.toLocaleString(localeOf(language));
    if (found > MAX_COUNTED) return countedMore(number(MAX_COUNTED));
    if (found === 0) return isComplete ? none : noneYet;
    return isComplete ? counted(found, number(found)) : countedAtLeast(found, number(found));
  }
}
