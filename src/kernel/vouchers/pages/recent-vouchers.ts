// The recent vouchers on the home page. Several vouchers of a batch share one line with a link to the batch.

import { emptyState } from '../../../platform/pages/ui/empty-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { drawIcons } from '../../../platform/pages/ui/icons.ts';
import type { PageContext } from '../../pages/context.ts';
import type { Site } from '../../sites/site.ts';
import { formatCode } from '../voucher.ts';
import type { BatchResults, FoundVoucher } from '../voucher-search.ts';
import { hasEnded, stateOf } from '../voucher-state.ts';
import { findLines, shownIn } from './list-lines.ts';
import { shownName, voucherStatePill } from './voucher-details.ts';
import { fromSlots, type Marks } from './voucher-slots.ts';

const LINES = 8;

export async function recentCard(context: PageContext, sites: Site[]): Promise<Html> {
  const { list, result, batches: text } = context.messages;
  const search = { siteIds: sites.map(({ id }) => id), limit: LINES, nowS: context.nowS };
  const { lines } = await findLines(context.app.finder, search, { minFolded: 2 });
  const ids = shownIn(lines).map(({ id }) => id);
  const marks = await fromSlots(context, (slots) => slots.problemMarks?.(context, ids));
  return html`<section class="card" aria-labelledby="recent"><h2 id="recent">${list.recent}</h2>
${
  lines.length === 0
    ? emptyState('list', list.empty)
    : html`${drawIcons(marks.map(({ icon }) => icon))}<ul class="recent">${lines.map(({ voucher, batch }) => (batch ? batchRow(context, voucher, batch) : voucherRow(context, voucher, marks)))}</ul><p class="further"><a href="/vouchers">${result.all}</a> · <a href="/batches">${text.allBatches}</a></p>`
}</section>`;
}

interface Row {
  href: string;
  what: Html;
  state: Html;
}

function row({ messages }: PageContext, voucher: FoundVoucher, { href, what, state }: Row): Html {
  const name = shownName(voucher);
  return html`<li><a class="listed" href="${href}" title="${name}">${name}</a>
<span class="what">${what}${voucher.isDemo && html`<span class="sub">${messages.firstSteps.demo}</span>`}</span>${state}</li>`;
}

function voucherRow(context: PageContext, voucher: FoundVoucher, marks: Marks[]): Html {
  const isOver = hasEnded(stateOf(voucher, context.nowS));
  return row(context, voucher, {
    href: `/vouchers/${voucher.id}`,
    what: html`<span class="code${isOver && ' over'}">${formatCode(voucher.code)}</span>`,
    state: html`<span>${voucherStatePill(voucher, context)}${marks.map((one) => one.of(voucher.id))}</span>`,
  });
}

function batchRow(context: PageContext, voucher: FoundVoucher, { id, vouchers, used }: BatchResults): Html {
  const { list, batches: text } = context.messages;
  return row(context, voucher, {
    href: `/batches/${id}`,
    what: html`${list.counted(vouchers, vouchers.toLocaleString(context.language))}`,
    state: html`<span class="soft">${text.used(used, vouchers)}</span>`,
  });
}
