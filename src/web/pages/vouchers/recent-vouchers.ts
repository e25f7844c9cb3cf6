// The recent vouchers on the home page. All vouchers of a batch share one line with a link to the batch.

import type { BatchSummary } from '../../../domain/batches/batch.ts';
import type { BatchId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import type { PageContext } from '../../http/context.ts';
import { emptyState } from '../../ui/empty-state.ts';
import { type Html, html } from '../../ui/html.ts';
import { shownName } from './voucher-details.ts';
import { shortRow } from './voucher-table.ts';

const LINES = 8;
/** A batch fills only one line, so the first search may find too few lines. At most this many searches follow. */
const MAX_FURTHER_SEARCHES = 3;

export async function recentCard(context: PageContext, sites: Site[]): Promise<Html> {
  const { finder, batches } = context.app;
  const { list, form, result, batches: text } = context.messages;
  const siteIds = sites.map(({ id }) => id);
  const lines = await findLines();
  const known = lines.some(batchOf) ? await batches.list({ siteIds, limit: LINES }) : [];
  const line = (voucher: FoundVoucher) => {
    const id = batchOf(voucher);
    return id
      ? batchRow(context, voucher, { id, batch: known.find((one) => one.id === id) })
      : shortRow(context, voucher);
  };
  return html`<section class="card" aria-labelledby="recent"><h2 id="recent">${list.recent}</h2>
${
  lines.length === 0
    ? emptyState('list', list.empty)
    : html`<table class="vouchers"><thead><tr><th scope="col">${list.code}</th><th scope="col">${form.name}</th><th scope="col">${list.state}</th></tr></thead>
<tbody>${lines.map(line)}</tbody></table><p class="further"><a href="/vouchers">${result.all}</a> · <a href="/batches">${text.allBatches}</a></p>`
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

function batchRow(
  { messages: { list, batches: text, firstSteps }, language }: PageContext,
  voucher: FoundVoucher,
  { id, batch }: { id: BatchId; batch: BatchSummary | undefined },
): Html {
  const count = batch?.vouchers ?? voucher.batchSize;
  return html`<tr><td class="code-of"><a class="listed" href="/batches/${id}">${list.counted(count, count.toLocaleString(language))}</a></td>
<td class="name-of">${shownName(voucher)}</td>
<td class="state-of"><span class="soft">${batch && text.used(batch.used, count)}</span>${voucher.isDemo && html`<span class="sub">${firstSteps.demo}</span>`}</td></tr>`;
}
