// The menu of a row in the list of vouchers: what can be done with the voucher. Works without JavaScript, except for
// copying the code.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';
import { formatCode } from '../voucher.ts';
import type { FoundVoucher } from '../voucher-search.ts';
import { hasEnded, stateOf } from '../voucher-state.ts';
import type { ListPart } from './voucher-slots.ts';

interface Offered {
  /** Adds the way back to the list to a URL. */
  link: (url: string) => string;
  /** What features add. */
  parts: ListPart[];
}

export function rowMenu(context: PageContext, voucher: FoundVoucher, { link, parts }: Offered): Html {
  const { list, result, revoke } = context.messages;
  const { id, batchId, batchSize } = voucher;
  const printPage = link(`/vouchers/print?voucher=${id}`);
  const code = formatCode(voucher.code);
  const onPaper = html`<a href="${printPage}">${result.print}</a>`;
  const printed = parts.find(({ printItems }) => printItems)?.printItems?.(voucher, printPage) ?? onPaper;
  const isOver = hasEnded(stateOf(voucher, context.nowS));
  return html`<details class="menu" name="row"><summary aria-label="${list.actions(code)}"></summary><div><p>${code}</p><a href="${link(`/vouchers/${id}`)}">${list.open}</a>${
    !isOver &&
    html`<button type="button" hidden data-copy>${result.copy}</button>${printed}${parts.map(({ menuItem }) => menuItem?.(voucher, link))}`
  }${batchId !== null && batchSize > 1 && html`<a href="/batches/${batchId}">${list.batch}</a>`}${!isOver && html`<a href="${link(`/vouchers/${id}/revoke`)}">${revoke.revoke}</a>`}</div></details>`;
}
