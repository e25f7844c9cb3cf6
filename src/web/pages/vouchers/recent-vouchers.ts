// The recent vouchers on the home page. The vouchers of a batch are one line that leads to the batch.

import { type BatchStore, type BatchSummary, MAX_BATCH_SIZE } from '../../../domain/batches/batch.ts';
import type { BatchId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import type { FoundVoucher, VoucherFinder } from '../../../domain/vouchers/voucher-search.ts';
import type { PageContext } from '../../http/context.ts';
import { emptyState } from '../../ui/empty-state.ts';
import { type Html, html } from '../../ui/html.ts';
import { shownName } from './voucher-details.ts';
import { shortRow } from './voucher-table.ts';

const LINES = 8;

interface RecentDeps {
  finder: VoucherFinder;
  batches: Pick<BatchStore, 'list'>;
}

export async function recentCard(
  context: PageContext,
  sites: Site[],
  { finder, batches }: RecentDeps,
): Promise<Html> {
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

  /** The newest voucher of each line. The second search looks past a batch, so that older lines are not missing. */
  async function findLines(): Promise<FoundVoucher[]> {
    const { nowS } = context;
    const { vouchers } = await finder.search({ siteIds, limit: LINES, nowS });
    const [last, lines] = [vouchers[LINES - 1], linesOf(vouchers)];
    if (!last || lines.length === LINES) return lines;
    const further = await finder.search({ siteIds, limit: MAX_BATCH_SIZE, after: last, nowS });
    return linesOf([...lines, ...further.vouchers]).slice(0, LINES);
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

/** The batch, unless the voucher was created alone. */
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
