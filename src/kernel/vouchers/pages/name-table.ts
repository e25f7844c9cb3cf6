// The names of lost vouchers, or of the batches that replace them, with what their vouchers allow and how many they
// are.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';
import { type OwnEnd, sayAllowance } from '../texts/allowance.ts';
import type { VoucherOrder } from '../voucher-order.ts';

/** More names than this are not listed, only counted. */
const MAX_NAMES = 50;

interface Named {
  order: VoucherOrder & Pick<OwnEnd, 'siteTimeZone'>;
  /** The page of the batch. */
  href?: string;
  count: string;
}

/** `heading` is the heading of the column with the counts. */
export function nameTable(context: PageContext, heading: string, all: Named[]): Html {
  const { lostVouchers: text } = context.messages;
  const further = all.length - MAX_NAMES;
  return html`<table class="lost"><thead><tr><th scope="col">${text.name}</th><th scope="col">${heading}</th></tr></thead>
<tbody>${all.slice(0, MAX_NAMES).map(
    ({ order, href, count }) => html`<tr>
<td data-label="${text.name}"><span>${href ? html`<a class="listed" href="${href}">${order.name}</a>` : order.name}<span class="sub">${sayAllowance(order, context)}</span></span></td><td data-label="${heading}">${count}</td></tr>`,
  )}</tbody></table>${further > 0 && html`<p class="soft">${text.furtherNames(further)}</p>`}`;
}
