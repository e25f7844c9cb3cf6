// Notes on the pages of vouchers and batches: that vouchers were lost on the controller, and what replaced them.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { message, note } from '../../pages/message.ts';
import { isLost } from '../lost-vouchers.ts';
import type { FoundVoucher } from '../voucher-search.ts';

/** The alarm if some of these vouchers are lost. `path` is the page of the voucher or batch that has them. */
export function lostNote(
  context: AuthenticatedContext,
  vouchers: FoundVoucher[],
  { path, isBatch }: { path: string; isBatch: boolean },
): Html | false {
  const { lostVouchers: text } = context.messages;
  const noticedAtS = vouchers
    .filter((voucher) => isLost(voucher, context.nowS))
    .map(({ endedAtS }) => endedAtS ?? context.nowS);
  const { length: count } = noticedAtS;
  if (count === 0) return false;
  const time = sayTime(Math.min(...noticedAtS) * 1000, context);
  return message(
    'error',
    html`<p><strong>${isBatch ? text.some(count) : text.thisOne}</strong></p><p>${text.means(count)} ${text.noticed(time)}</p>
<p><a class="button" href="${path}/lost">${text.again}</a></p>`,
  );
}

/** A link to each batch that replaces some of these vouchers. */
export async function replacedNote(
  context: AuthenticatedContext,
  vouchers: FoundVoucher[],
): Promise<Html | false> {
  const ids = new Set(vouchers.map(({ replacedBy }) => replacedBy));
  const links: Html[] = [];
  for (const id of ids) {
    const batch = id === null || id === 'unneeded' ? undefined : await context.app.batches.find(id);
    if (batch) links.push(html` <a href="/batches/${batch.id}">${batch.order.name}</a>`);
  }
  return links.length > 0 && note('info', html`${context.messages.lostVouchers.replacedBy}${links}`);
}
