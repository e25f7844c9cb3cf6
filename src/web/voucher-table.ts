// Vouchers in rows; on a phone each row is a card. The full list is put in order by its headings, and what is
// ticked in it is printed.

import { formatCode, statusOf } from '../domain/vouchers/voucher.ts';
import type { FoundVoucher, VoucherSort } from '../domain/vouchers/voucher-search.ts';
import { sayTime } from './durations.ts';
import { type Html, html } from './html.ts';
import { icon } from './icons.ts';
import type { SearchWish } from './read-search.ts';
import type { Visit } from './visit.ts';
import { endOf, madeBy, shownName, statePill, usesOf } from './voucher-parts.ts';

/** With a wish, the full list that it asked for; without one, the short table. */
export function voucherTable(visit: Visit, vouchers: FoundVoucher[], wish?: SearchWish): Html {
  const { list, form } = visit.words;
  return html`<table class="vouchers${wish && ' chosen'}"><thead><tr>${wish && html`<td class="tick-of"></td>`}<th scope="col">${list.code}</th>
${wish?.canGoByName ? heading(visit, wish.sort, { label: form.name, up: 'name', down: 'name-back', first: 'name' }) : html`<th scope="col">${form.name}</th>`}
<th scope="col">${list.state}</th>
${wish && html`<th scope="col">${list.uses}</th><th scope="col">${list.ends}</th>${heading(visit, wish.sort, { label: list.created, up: 'oldest', down: 'newest', first: 'newest' })}`}
</tr></thead><tbody>${vouchers.map((voucher) => row(visit, voucher, wish !== undefined))}</tbody></table>`;
}

/** The list, and what can be done with those that are ticked. */
export function choiceOf(visit: Visit, vouchers: FoundVoucher[], wish: SearchWish): Html {
  const { list } = visit.words;
  return html`<form method="get" action="/vouchers/print" class="choice">${voucherTable(visit, vouchers, wish)}
<div class="bar"><label class="tick all" hidden><input type="checkbox" data-all="voucher">${list.selectAll}</label>
<button class="button" type="submit">${icon('print')}${list.printSelected}</button></div></form>`;
}

interface Heading {
  label: string;
  up: VoucherSort;
  down: VoucherSort;
  /** The way it goes at the first click. */
  first: VoucherSort;
}

function heading({ query }: Visit, sort: VoucherSort, { label, up, down, first }: Heading): Html {
  const wishes = new URLSearchParams(query);
  wishes.delete('after');
  wishes.set('sort', sort === first ? (first === up ? down : up) : first);
  const direction = sort === up ? 'ascending' : sort === down ? 'descending' : 'none';
  return html`<th scope="col" aria-sort="${direction}"><a class="sorter" href="/vouchers?${String(wishes)}">${label}</a></th>`;
}

function row(visit: Visit, voucher: FoundVoucher, isFull: boolean): Html {
  const { words, language, timeZone } = visit;
  const { list } = words;
  const code = formatCode(voucher.code);
  const created = sayTime(voucher.createdAtS * 1000, { language, timeZone });
  const isWorthPaper = statusOf(voucher, visit.nowS) !== 'expired';
  return html`<tr>${isFull && html`<td class="tick-of">${isWorthPaper && html`<label class="tick"><input type="checkbox" name="voucher" value="${voucher.id}"><span class="hidden-text">${list.select(code)}</span></label>`}</td>`}
<td class="code-of"><a class="code listed" href="/vouchers/${voucher.id}">${code}</a></td>
<td class="name-of">${shownName(voucher)}${isFull && html`<span class="sub">${voucher.siteName}</span>`}</td>
<td class="state-of">${statePill(voucher, visit)}</td>
${
  isFull &&
  html`<td class="uses-of" data-label="${list.uses}">${usesOf(voucher)}</td><td class="ends-of">${endOf(voucher, visit)}</td>
<td class="made-of">${created}<span class="sub">${madeBy(voucher, visit)}</span></td>`
}</tr>`;
}
