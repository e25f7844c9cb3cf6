// A table of vouchers; on phones each row is a card. The full list can be sorted by its column headings, and selected
// vouchers can be printed or revoked.

import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher, VoucherSort } from '../../../domain/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../../domain/vouchers/voucher-state.ts';
import { sayTime } from '../../../i18n/durations.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { listFilterOf, withFrom } from './list-link.ts';
import type { SearchInput } from './read-search.ts';
import { rowMenu } from './row-menu.ts';
import { endOf, madeBy, shownName, usesOf, voucherStatePill } from './voucher-details.ts';

function voucherTable(context: PageContext, vouchers: FoundVoucher[], input: SearchInput): Html {
  const { list, form } = context.messages;
  return html`<table class="vouchers chosen"><thead><tr><td class="tick-of"></td><th scope="col">${list.code}</th>
${input.canGoByName ? heading(context, input.sort, { label: form.name, up: 'name', down: 'name-back', first: 'name' }) : html`<th scope="col">${form.name}</th>`}
<th scope="col">${list.state}</th>
<th scope="col">${list.uses}</th><th scope="col">${list.ends}</th>${heading(context, input.sort, { label: list.created, up: 'oldest', down: 'newest', first: 'newest' })}<td></td>
</tr></thead><tbody>${vouchers.map((voucher) => row(context, voucher, true))}</tbody></table>`;
}

/** The full list of vouchers, with buttons to print or revoke the selected ones. */
export function choiceOf(context: PageContext, vouchers: FoundVoucher[], input: SearchInput): Html {
  const { list, result, revoke, bulkRevocation: revocation } = context.messages;
  const from = String(listFilterOf(context));
  return html`<form method="get" action="/vouchers/print" class="choice">${from !== '' && html`<input type="hidden" name="from" value="${from}">`}${voucherTable(context, vouchers, input)}
<div class="bar"><label class="tick all" hidden><input type="checkbox" data-all="voucher">${list.selectAll}</label>
<span class="selected" role="status" hidden><strong></strong> <span>${list.selected}</span></span>
<button class="button" type="submit" aria-label="${list.printSelected}">${icon('print')}${result.print}</button>
<button class="button risky" type="submit" formaction="/vouchers/revoke" aria-label="${revocation.selected}">${revoke.revoke}</button></div></form>`;
}

interface Heading {
  label: string;
  up: VoucherSort;
  down: VoucherSort;
  /** The sort order after the first click on the heading. */
  first: VoucherSort;
}

function heading({ query }: PageContext, sort: VoucherSort, { label, up, down, first }: Heading): Html {
  const inputs = new URLSearchParams(query);
  inputs.delete('after');
  inputs.set('sort', sort === first ? (first === up ? down : up) : first);
  const direction = sort === up ? 'ascending' : sort === down ? 'descending' : 'none';
  return html`<th scope="col" aria-sort="${direction}"><a class="sorter" href="/vouchers?${String(inputs)}">${label}</a></th>`;
}

function row(context: PageContext, voucher: FoundVoucher, isFull: boolean): Html {
  const { messages, language, timeZone } = context;
  const { list } = messages;
  const code = formatCode(voucher.code);
  const created = sayTime(voucher.createdAtS * 1000, { language, timeZone });
  const isOver = hasEnded(stateOf(voucher, context.nowS));
  return html`<tr>${isFull && html`<td class="tick-of">${!isOver && html`<label class="tick"><input type="checkbox" name="voucher" value="${voucher.id}" aria-label="${list.select(code)}"></label>`}</td>`}
<td class="code-of"><a class="code listed${isOver && ' over'}" href="${isFull ? withFrom(context, `/vouchers/${voucher.id}`) : `/vouchers/${voucher.id}`}">${code}</a></td>
<td class="name-of">${shownName(voucher)}${isFull && html`<span class="sub">${voucher.siteName}</span>`}</td>
<td class="state-of">${voucherStatePill(voucher, context)}${voucher.isDemo && html`<span class="sub">${messages.firstSteps.demo}</span>`}</td>
${
  isFull &&
  html`<td class="uses-of" data-label="${list.uses}">${usesOf(voucher)}</td><td class="ends-of">${endOf(voucher, context)}</td>
<td class="made-of">${created}<span class="sub">${madeBy(voucher, context)}</span></td><td class="menu-of">${rowMenu(context, voucher)}</td>`
}</tr>`;
}
