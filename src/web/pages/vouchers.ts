// Finding vouchers again: search, filters, pages; and one voucher with all there is to know.

import type { Site } from '../../domain/sites/site.ts';
import { formatCode, statusOf } from '../../domain/vouchers/voucher.ts';
import type { FoundVoucher, FoundVouchers, SearchedStatus } from '../../domain/vouchers/voucher-search.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage } from '../layout.ts';
import type { SlipNeeds } from '../print.ts';
import { readMark, readSearch, type SearchWish, STATES, writeMark } from '../read-search.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { endOf, madeBy, qrsOf, sayAllowance, shownName, statePill, usesOf } from '../voucher-parts.ts';
import { choiceOf } from '../voucher-table.ts';
import { type VoucherNeeds, withVoucher } from '../with-voucher.ts';
import { MOST_EXPORTED } from './export.ts';

const PAGE_SIZE = 50;

export function makeVoucherPages(needs: VoucherNeeds & Pick<SlipNeeds, 'slips'>): Route[] {
  const { sitesFor, finder } = needs;
  return [
    { method: 'GET', path: '/vouchers', access: 'operator', run: list },
    {
      method: 'GET',
      path: '/vouchers/:id',
      access: 'operator',
      run: (visit) => withVoucher(visit, needs, show),
    },
  ];

  async function list(visit: UserVisit) {
    const { words, query } = visit;
    const sites = await sitesFor(visit.user);
    const wish = readSearch(visit, sites);
    const { chosen, status, text, search } = wish;
    const after = readMark(query.get('after'));
    const found = await finder.search({ ...search, ...(after && { after }), atMost: PAGE_SIZE + 1 });
    const shown = found.vouchers.slice(0, PAGE_SIZE);
    const isFiltered = text !== '' || status !== undefined || chosen !== undefined;
    return answerPage(visit, {
      title: words.list.title,
      content: html`<h1>${words.list.title}</h1>${filters(visit, sites, wish)}
<section class="card">${
        shown.length === 0
          ? html`<div class="empty">${icon(isFiltered ? 'search' : 'list')}<p>${isFiltered ? words.list.nothing : words.list.empty}</p><a class="button" href="${isFiltered ? '/vouchers' : '/'}">${isFiltered ? words.result.all : words.nav.newVoucher}</a></div>`
          : choiceOf(visit, shown, wish)
      }</section>${pager(visit, found, wish)}`,
    });
  }

  async function show(visit: UserVisit, voucher: FoundVoucher) {
    const { words, language, timeZone } = visit;
    const { result, list: text } = words;
    const facts: [string, Html | string][] = [
      [words.form.site, voucher.siteName],
      [text.uses, usesOf(voucher)],
      [text.ends, endOf(voucher, visit)],
      [text.created, sayTime(voucher.createdAtS * 1000, { language, timeZone })],
      [text.madeBy, madeBy(voucher, visit)],
    ];
    return answerPage(visit, {
      title: formatCode(voucher.code),
      content: html`<section class="card hero"><h1>${shownName(voucher)}</h1>
<strong class="code">${formatCode(voucher.code)}</strong>
<p>${statePill(voucher, visit)}</p>
<p>${sayAllowance(voucher, visit)}</p>
${qrsOf(voucher.code, await needs.slips.find(voucher.siteId), visit)}
<div class="actions"><button class="button" type="button" hidden data-copy="${formatCode(voucher.code)}" data-copied="${result.copied}">${icon('copy')}<span>${result.copy}</span></button>
${statusOf(voucher, visit.nowS) !== 'expired' && html`<a class="button" href="/vouchers/print?voucher=${voucher.id}">${icon('print')}${result.print}</a>`}
${voucher.endedAtS === null && html`<a class="button risky" href="/vouchers/${voucher.id}/revoke">${words.revoke.revoke}</a>`}
<a class="button" href="/vouchers">${result.all}</a></div>
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl></section>`,
    });
  }
}

function filters({ words }: UserVisit, sites: Site[], { chosen, text, status, sort }: SearchWish): Html {
  const isSorted = sort !== 'newest';
  const address = (state: string) => {
    const wishes = new URLSearchParams({
      ...(text && { q: text }),
      ...(chosen && { site: String(chosen.id) }),
      ...(isSorted && { sort }),
    });
    if (state) wishes.set('state', state);
    return wishes.size > 0 ? `/vouchers?${wishes}` : '/vouchers';
  };
  const names = { ...words.state, revoked: words.revoke.revoked };
  const chip = (state: SearchedStatus | undefined, label: string) =>
    html`<a class="chip" href="${address(state ?? '')}"${state === status && html` aria-current="true"`}>${label}</a>`;
  return html`<form class="filters" method="get" action="/vouchers" role="search">
<div class="field"><label for="q">${words.list.search}</label><input id="q" name="q" type="search" value="${text}"></div>
${
  sites.length > 1 &&
  html`<div class="field"><label for="site">${words.form.site}</label><select id="site" name="site"><option value="">${words.list.allSites}</option>
${sites.map(({ id, name }) => html`<option value="${id}"${id === chosen?.id && html` selected`}>${name}</option>`)}</select></div>`
}
${status && html`<input type="hidden" name="state" value="${status}">`}${isSorted && html`<input type="hidden" name="sort" value="${sort}">`}
<button class="button" type="submit">${icon('search')}${words.list.find}</button></form>
<div class="chips states">${chip(undefined, words.list.allStates)}${STATES.map((state) => chip(state, names[state]))}</div>`;
}

function pager(
  { words, query, path, language }: UserVisit,
  found: FoundVouchers,
  { sort }: SearchWish,
): Html {
  const { vouchers, lookedUntil } = found;
  const last = vouchers.length > PAGE_SIZE ? vouchers[PAGE_SIZE - 1] : lookedUntil;
  const next = new URLSearchParams(query);
  if (last) next.set('after', writeMark(last, sort));
  const first = new URLSearchParams(query);
  first.delete('after');
  return html`<nav class="pager">${query.has('after') ? html`<a class="button" href="${path}?${String(first)}">${words.list.start}</a>` : html`<span></span>`}
${last && html`<a class="button" href="${path}?${String(next)}">${lookedUntil ? words.list.further : words.list.more}</a>`}
<a class="button" href="/export/vouchers.csv?${String(first)}">${words.revoke.export}</a></nav>
<p class="sub">${words.revoke.most(MOST_EXPORTED.toLocaleString(language))}</p>`;
}
