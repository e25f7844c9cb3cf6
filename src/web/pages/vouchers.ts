// Finding vouchers again: search, filters, pages; and one voucher with all there is to know.

import { asSiteId, asVoucherId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import type { User } from '../../domain/users/user.ts';
import { formatCode, type VoucherStatus } from '../../domain/vouchers/voucher.ts';
import type { FoundVoucher, SearchMark, VoucherFinder } from '../../domain/vouchers/voucher-search.ts';
import { problemPage } from '../answer-visits.ts';
import { sayTime } from '../durations.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage } from '../layout.ts';
import { printPage } from '../print.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';
import { endOf, qrOf, sayAllowance, shownName, statePill, usesOf } from '../voucher-parts.ts';
import { voucherTable } from '../voucher-table.ts';

const PAGE_SIZE = 50;
const LONGEST_SEARCH = 100;
const STATES: VoucherStatus[] = ['valid', 'used', 'expired'];

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
    const { words, query, nowMs } = visit;
    const sites = await sitesFor(visit.user);
    const chosen = sites.find(({ id }) => id === asSiteId(Number(query.get('site'))));
    const status = STATES.find((state) => state === query.get('state'));
    const text = (query.get('q') ?? '').trim().slice(0, LONGEST_SEARCH);
    const after = readMark(query.get('after'));
    const found = await finder.search({
      siteIds: (chosen ? [chosen] : sites).map(({ id }) => id),
      ...(text !== '' && { text }),
      ...(status && { status }),
      ...(after && { after }),
      atMost: PAGE_SIZE + 1,
      nowS: Math.floor(nowMs / 1000),
    });
    const shown = found.slice(0, PAGE_SIZE);
    const isFiltered = text !== '' || status !== undefined || chosen !== undefined;
    return answerPage(visit, {
      title: words.list.title,
      content: html`<h1>${words.list.title}</h1>${filters(visit, { sites, chosen, text, status })}
<section class="card">${
        shown.length === 0
          ? html`<p class="soft">${isFiltered ? words.list.nothing : words.list.empty}</p>`
          : voucherTable(visit, shown, 'full')
      }</section>${pager(visit, found)}`,
    });
  }

  async function withVoucher(visit: UserVisit, run: typeof show) {
    const sites = await sitesFor(visit.user);
    const [voucher] = await finder.search({
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
    return answerPage(visit, {
      title: formatCode(voucher.code),
      content: html`<section class="card hero"><h1>${shownName(voucher)}</h1>
<strong class="code">${formatCode(voucher.code)}</strong>
<p>${statePill(voucher, visit)}</p>
<p>${sayAllowance(voucher, visit)}</p>
<p class="soft">${voucher.siteName} · ${text.created} ${sayTime(voucher.createdAtS * 1000, { language, timeZone })} · ${voucher.ownerName ?? text.nobody}</p>
<p>${text.uses} ${usesOf(voucher)} · ${text.ends} ${endOf(voucher, visit)}</p>
${qrOf(voucher.code, result.qr)}
<div class="actions"><button class="button" type="button" hidden data-copy="${formatCode(voucher.code)}" data-copied="${result.copied}">${icon('copy')}<span>${result.copy}</span></button>
<a class="button" href="/vouchers/${voucher.id}/print">${icon('print')}${result.print}</a>
${voucher.endedAtS === null && html`<a class="button" href="/vouchers/${voucher.id}/revoke">${words.revoke.revoke}</a>`}
<a class="button" href="/vouchers">${result.all}</a></div></section>`,
    });
  }

  function print(visit: UserVisit, voucher: FoundVoucher) {
    return printPage(visit, { back: `/vouchers/${voucher.id}`, slips: [voucher] });
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

function pager({ words, query, path }: UserVisit, found: FoundVoucher[]): Html {
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined;
  const next = new URLSearchParams(query);
  if (last) next.set('after', `${last.createdAtS}.${last.id}`);
  const first = new URLSearchParams(query);
  first.delete('after');
  return html`<nav class="pager">${query.has('after') ? html`<a class="button" href="${path}?${String(first)}">${words.list.newest}</a>` : html`<span></span>`}
${last && html`<a class="button" href="${path}?${String(next)}">${words.list.older}</a>`}</nav>`;
}

function readMark(text: string | null): SearchMark | undefined {
  const [, createdAtS, id] = /^(\d{1,12})\.(\d{1,15})$/.exec(text ?? '') ?? [];
  return createdAtS && id ? { createdAtS: Number(createdAtS), id: Number(id) } : undefined;
}
