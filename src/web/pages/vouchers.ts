// Finding vouchers again: search, filters, pages; and one voucher with all there is to know.

import { asVoucherId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import type { User } from '../../domain/users/user.ts';
import { formatCode, type VoucherStatus } from '../../domain/vouchers/voucher.ts';
import type {
  FoundVoucher,
  FoundVouchers,
  SearchMark,
  VoucherFinder,
} from '../../domain/vouchers/voucher-search.ts';
import { problemPage } from '../answer-visits.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage } from '../layout.ts';
import { printPage } from '../print.ts';
import { readSearch, STATES } from '../read-search.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { endOf, qrOf, sayAllowance, shownName, statePill, usesOf } from '../voucher-parts.ts';
import { voucherTable } from '../voucher-table.ts';

const PAGE_SIZE = 50;

interface Needs {
  sitesFor: (user: User) => Promise<Site[]>;
  finder: VoucherFinder;
}

export function makeVoucherPages({ sitesFor, finder }: Needs): Route[] {
  return [
    { method: 'GET', path: '/vouchers', access: 'operator', run: list },
    { method: 'GET', path: '/vouchers/:id', access: 'operator', run: (visit) => withVoucher(visit, show) },
    {
      method: 'GET',
      path: '/vouchers/:id/print',
      access: 'operator',
      run: (visit) => withVoucher(visit, print),
    },
  ];

  async function list(visit: UserVisit) {
    const { words, query } = visit;
    const sites = await sitesFor(visit.user);
    const { chosen, status, text, search } = readSearch(visit, sites);
    const after = readMark(query.get('after'));
    const found = await finder.search({ ...search, ...(after && { after }), atMost: PAGE_SIZE + 1 });
    const shown = found.vouchers.slice(0, PAGE_SIZE);
    const isFiltered = text !== '' || status !== undefined || chosen !== undefined;
    return answerPage(visit, {
      title: words.list.title,
      content: html`<h1>${words.list.title}</h1>${filters(visit, { sites, chosen, text, status })}
<section class="card">${
        shown.length === 0
          ? html`<div class="empty">${icon(isFiltered ? 'search' : 'list')}<p>${isFiltered ? words.list.nothing : words.list.empty}</p><a class="button" href="${isFiltered ? '/vouchers' : '/'}">${isFiltered ? words.result.all : words.nav.newVoucher}</a></div>`
          : voucherTable(visit, shown, 'full')
      }</section>${pager(visit, found)}`,
    });
  }

  async function withVoucher(visit: UserVisit, run: typeof show) {
    const sites = await sitesFor(visit.user);
    const {
      vouchers: [voucher],
    } = await finder.search({
      siteIds: sites.map(({ id }) => id),
      id: asVoucherId(Number(visit.parameters.id) || 0),
      atMost: 1,
      nowS: Math.floor(visit.nowMs / 1000),
    });
    return voucher ? run(visit, voucher) : problemPage(visit, 404, visit.words.problem.notFound);
  }

  function show(visit: UserVisit, voucher: FoundVoucher) {
    const { words, language, timeZone } = visit;
    const { result, list: text } = words;
    const facts: [string, Html | string][] = [
      [words.form.site, voucher.siteName],
      [text.uses, usesOf(voucher)],
      [text.ends, endOf(voucher, visit)],
      [text.created, sayTime(voucher.createdAtS * 1000, { language, timeZone })],
      [text.madeBy, voucher.ownerName ?? text.nobody],
    ];
    return answerPage(visit, {
      title: formatCode(voucher.code),
      content: html`<section class="card hero"><h1>${shownName(voucher)}</h1>
<strong class="code">${formatCode(voucher.code)}</strong>
<p>${statePill(voucher, visit)}</p>
<p>${sayAllowance(voucher, visit)}</p>
${qrOf(voucher.code, result.qr)}
<div class="actions"><button class="button" type="button" hidden data-copy="${formatCode(voucher.code)}" data-copied="${result.copied}">${icon('copy')}<span>${result.copy}</span></button>
${voucher.endedAtS === null && html`<a class="button" href="/vouchers/${voucher.id}/print">${icon('print')}${result.print}</a>`}
${voucher.endedAtS === null && html`<a class="button" href="/vouchers/${voucher.id}/revoke">${words.revoke.revoke}</a>`}
<a class="button" href="/vouchers">${result.all}</a></div>
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl></section>`,
    });
  }

  function print(visit: UserVisit, voucher: FoundVoucher) {
    return printPage(visit, {
      back: `/vouchers/${voucher.id}`,
      slips: [{ ...voucher, name: shownName(voucher) }],
    });
  }
}

interface Chosen {
  sites: Site[];
  chosen: Site | undefined;
  text: string;
  status: VoucherStatus | undefined;
}

function filters({ words }: UserVisit, { sites, chosen, text, status }: Chosen): Html {
  const address = (state: string) => {
    const wishes = new URLSearchParams({
      ...(text && { q: text }),
      ...(chosen && { site: String(chosen.id) }),
    });
    if (state) wishes.set('state', state);
    return wishes.size > 0 ? `/vouchers?${wishes}` : '/vouchers';
  };
  const chip = (state: VoucherStatus | undefined, label: string) =>
    html`<a class="chip" href="${address(state ?? '')}"${state === status && html` aria-current="true"`}>${label}</a>`;
  return html`<form class="filters" method="get" action="/vouchers" role="search">
<div class="field"><label for="q">${words.list.search}</label><input id="q" name="q" type="search" value="${text}"></div>
<div class="field"><label for="site">${words.form.site}</label><select id="site" name="site"><option value="">${words.list.allSites}</option>
${sites.map(({ id, name }) => html`<option value="${id}"${id === chosen?.id && html` selected`}>${name}</option>`)}</select></div>
${status && html`<input type="hidden" name="state" value="${status}">`}
<button class="button" type="submit">${icon('search')}${words.list.find}</button></form>
<div class="chips states">${chip(undefined, words.list.allStates)}${STATES.map((state) => chip(state, words.state[state]))}</div>`;
}

function pager({ words, query, path }: UserVisit, { vouchers, lookedUntil }: FoundVouchers): Html {
  const last = vouchers.length > PAGE_SIZE ? vouchers[PAGE_SIZE - 1] : lookedUntil;
  const next = new URLSearchParams(query);
  if (last) next.set('after', `${last.createdAtS}.${last.id}`);
  const first = new URLSearchParams(query);
  first.delete('after');
  return html`<nav class="pager">${query.has('after') ? html`<a class="button" href="${path}?${String(first)}">${words.list.newest}</a>` : html`<span></span>`}
${last && html`<a class="button" href="${path}?${String(next)}">${lookedUntil ? words.list.further : words.list.older}</a>`}
<a class="button" href="/export/vouchers.csv?${String(first)}">${words.revoke.export}</a></nav>`;
}

function readMark(text: string | null): SearchMark | undefined {
  const [, createdAtS, id] = /^(\d{1,12})\.(\d{1,15})$/.exec(text ?? '') ?? [];
  return createdAtS && id ? { createdAtS: Number(createdAtS), id: Number(id) } : undefined;
}
