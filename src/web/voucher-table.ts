// Vouchers in rows; on a phone each row is a card.

import { formatCode } from '../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../domain/vouchers/voucher-search.ts';
import { sayTime } from './durations.ts';
import { type Html, html } from './html.ts';
import type { Visit } from './visit.ts';
import { endOf, shownName, statePill, usesOf } from './voucher-parts.ts';

export function voucherTable(visit: Visit, vouchers: FoundVoucher[], width: 'short' | 'full'): Html {
  const { list } = visit.words;
  const isFull = width === 'full';
  return html`<table class="vouchers"><thead><tr><th scope="col">${list.code}</th><th scope="col">${visit.words.form.name}</th>
<th scope="col">${list.state}</th>
${isFull && html`<th scope="col">${list.uses}</th><th scope="col">${list.ends}</th><th scope="col">${list.created}</th>`}
</tr></thead><tbody>${vouchers.map((voucher) => row(visit, voucher, isFull))}</tbody></table>`;
}

function row(visit: Visit, voucher: FoundVoucher, isFull: boolean): Html {
  const { words, language, timeZone } = visit;
  const { list } = words;
  const created = sayTime(voucher.createdAtS * 1000, { language, timeZone });
  return html`<tr><td class="code-of"><a class="code listed" href="/vouchers/${voucher.id}">${formatCode(voucher.code)}</a></td>
<td class="name-of">${shownName(voucher)}${isFull && html`<span class="sub">${voucher.siteName}</span>`}</td>
<td class="state-of">${statePill(voucher, visit)}</td>
${
  isFull &&
  html`<td class="uses-of" data-label="${list.uses}">${usesOf(voucher)}</td><td class="ends-of">${endOf(voucher, visit)}</td>
<td class="made-of">${created}<span class="sub">${voucher.ownerName ?? list.nobody}</span></td>`
}</tr>`;
}
