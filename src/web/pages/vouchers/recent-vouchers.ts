// The recent vouchers on the home page. All vouchers of a batch share one line with a link to the batch.

import type { BatchSummary } from '../../../domain/batches/batch.ts';
import type { BatchId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../../domain/vouchers/voucher-state.ts';
import type { PageContext } from '../../http/context.ts';
import { emptyState } from '../../ui/empty-state.ts';
import { type Html, html } from '../../ui/html.ts';
import { shownName, voucherStatePill } from './voucher-details.ts';

const LINES = 8;
/** A batch fills only one line, so the first search may find too few lines. At most this many searches follow. */
const MAX_FURTHER_SEARCHES = 3;

export async function recentCard(context: PageContext, sites: Site[]): Promise<Html> {
  const { finder, batches } = context.app;
  const { list, result, batches: text } = context.messages;
  const siteIds = sites.map(({ id }) => id);
  const lines = await findLines();
  const known = lines.some(batchOf) ? await batches.list({ siteIds, limit: LINES }) : [];
  const line = (voucher: FoundVoucher) => {
    const id = batchOf(voucher);
    return id
      ? batchRow(context, voucher, { id, batch: known.find((one) => one.id === id) })
      : voucherRow(context, voucher);
  };
  return html`<section class="card" aria-labelledby="recent"><h2 id="recent">${list.recent}</h2>
${
  lines.length === 0
    ? emptyState('list', list.empty)
    : html`<ul class="recent">${lines.map(line)}</ul><p class="further"><a href="/vouchers">${result.all}</a> · <a href="/batches">${text.allBatches}</a></p>`
}</section>`;

  /** Finds the newest voucher for each line. Further searches leave out the batches that were found already. */
  async function findLines(): Promise<FoundVoucher[]> {
    const search = { siteIds, limit: LINES, nowS: context.nowS };
    let { vouchers } = await finder.search(search);
    let lines = linesOf(vouchers);
    for (let further = 0; further < MAX_FURTHER_SEARCHES; further += 1) {
      const after = vouchers[LINES - 1];
      if (!after || lines.length >= LINES) break;
      const notOfBatches = lines.flatMap((voucher) => batchOf(voucher) ?? []);
      ({ vouchers } = await finder.search({ ...search, after, notOfBatches }));
      lines = linesOf([...lines, ...vouchers]);
    }
    return lines.slice(0, LINES);
  }
}

function linesOf(vouchers: FoundVoucher[]): FoundVoucher[] {
  const seen = new Set<BatchId>();
  return vouchers.filter((voucher) => {
    const batch = batchOf(voucher);
    const isFirst = !batch || !seen.has(batch);
    if (batch) seen.add(batch);
    return isFirst;
  });
}

/** The batch of a voucher. Undefined if the voucher was created alone. */
function batchOf({ batchId, batchSize }: FoundVoucher): BatchId | undefined {
  return batchSize > 1 ? (batchId ?? undefined) : undefined;
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

function voucherRow(context: PageContext, voucher: FoundVoucher): Html {
  const isOver = hasEnded(stateOf(voucher, context.nowS));
  return row(context, voucher, {
    href: `/vouchers/${voucher.id}`,
    what: html`<span class="code${isOver && ' over'}">${formatCode(voucher.code)}</span>`,
    state: voucherStatePill(voucher, context),
  });
}

function batchRow(
  context: PageContext,
  voucher: FoundVoucher,
  { id, batch }: { id: BatchId; batch: BatchSummary | undefined },
): Html {
  const { list, batches: text } = context.messages;
  const count = batch?.vouchers ?? voucher.batchSize;
  return row(context, voucher, {
    href: `/batches/${id}`,
    what: html`${list.counted(count, count.toLocaleString(context.language))}`,
    state: html`<span class="soft">${batch && text.used(batch.used, count)}</span>`,
  });
}
