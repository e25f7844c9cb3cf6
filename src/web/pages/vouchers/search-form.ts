// The search above the list of vouchers: text, site, chips for the time of creation and the state, and the number of
// results. With JavaScript the list is updated while the user types (live-search.js).

import type { Site } from '../../../domain/sites/site.ts';
import { CREATED_PERIODS } from '../../../domain/vouchers/created-period.ts';
import { MAX_COUNTED, type ResultCount } from '../../../domain/vouchers/voucher-search.ts';
import { VOUCHER_STATES } from '../../../domain/vouchers/voucher-state.ts';
import { localeOf } from '../../../i18n/durations.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { listFilterOf } from './list-link.ts';
import type { SearchInput } from './read-search.ts';

export function searchForm(context: AuthenticatedContext, sites: Site[], input: SearchInput): Html {
  const { messages } = context;
  const { chosen, text, state, period, sort } = input;
  const kept = { created: period, state, sort: sort === 'newest' ? undefined : sort };
  return html`<form class="filters" method="get" action="/vouchers" role="search" data-live>
<div class="field"><label for="q">${messages.list.search}</label><input id="q" name="q" type="search" value="${text}" autocomplete="off"></div>
${
  sites.length > 1 &&
  html`<div class="field"><label for="site">${messages.form.site}</label><select id="site" name="site"><option value="">${messages.list.allSites}</option>
${sites.map(({ id, name }) => html`<option value="${id}"${id === chosen?.id && html` selected`}>${name}</option>`)}</select></div>`
}
${Object.entries(kept).map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<button class="button" type="submit">${icon('search')}${messages.list.find}</button></form>
<div id="chips">${periodChips(context, input)}${stateChips(context, input)}</div>`;
}

function periodChips(context: AuthenticatedContext, { period }: SearchInput): Html {
  const { periods, created } = context.messages.list;
  const chip = chipOf(context, 'created', period);
  return html`<div class="chips row" role="group" aria-label="${created}">${chip(undefined, periods.any)}${CREATED_PERIODS.map((one) => chip(one, periods[one]))}</div>`;
}

function stateChips(context: AuthenticatedContext, { state }: SearchInput): Html {
  const { list, state: names } = context.messages;
  const chip = chipOf(context, 'state', state);
  return html`<div class="chips row" role="group" aria-label="${list.state}">${chip(undefined, list.allStates)}${VOUCHER_STATES.map((one) => chip(one, names[one]))}</div>`;
}

/** Makes chips for a filter. A chip is a link that sets the filter to `value`, or removes it if that is undefined. */
function chipOf(context: AuthenticatedContext, filter: string, current: string | undefined) {
  return function chip(value: string | undefined, label: string): Html {
    const inputs = listFilterOf(context);
    inputs.delete('after');
    inputs.delete(filter);
    if (value !== undefined) inputs.set(filter, value);
    const url = inputs.size > 0 ? `/vouchers?${inputs}` : '/vouchers';
    return html`<a class="chip" href="${url}"${value === current && html` aria-current="true"`}>${label}</a>`;
  };
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
