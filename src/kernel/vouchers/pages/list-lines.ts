// The lines of a list of vouchers. A batch of several results fills one line, at the place of its first result, however
// many vouchers it has and on whatever page they would be. A line that is opened shows some of its vouchers below it.

import type { BatchId } from '../../ids.ts';
import type {
  BatchResults,
  FoundVoucher,
  FoundVouchers,
  SearchMark,
  VoucherFinder,
  VoucherSearch,
} from '../voucher-search.ts';

/** An opened batch shows this many vouchers. Its own page shows all. */
const MAX_OPENED = 20;
/** Vouchers of folded batches fill no line, so a search may find too few lines. At most this many searches follow. */
const MAX_FURTHER_SEARCHES = 10;
/** Further searches look at this many times as many vouchers, because most of them belong to folded batches. */
const FURTHER_FACTOR = 10;

/** A voucher, or several vouchers of a batch that share a line. */
export interface Line {
  /** The voucher, or the first voucher of the batch. */
  voucher: FoundVoucher;
  batch?: BatchResults;
  /** The first vouchers of the batch, if the user has opened it. */
  opened?: FoundVoucher[];
}

export interface Lines extends Pick<FoundVouchers, 'count'> {
  lines: Line[];
  /** The position at which the next page starts. Undefined on the last page. */
  next?: SearchMark | undefined;
  /** True if the search has not examined all vouchers, so that the next page may be empty. */
  isUnfinished: boolean;
}

/** The vouchers that have a row of their own. */
export function shownIn(lines: Line[]): FoundVoucher[] {
  return lines.flatMap(({ voucher, batch, opened }) => (batch ? (opened ?? []) : voucher));
}

interface Folding {
  /** Fewer results of a batch are shown one by one. */
  minFolded: number;
  /** The batch that the user has opened. */
  opened?: string | null;
}

/** Finds `search.limit` lines. */
export async function findLines(
  finder: VoucherFinder,
  search: VoucherSearch,
  { minFolded, opened }: Folding,
): Promise<Lines> {
  const folded = new Map<BatchId, BatchResults>();
  const lines: Line[] = [];
  let limit = search.limit + 1;
  let found = await finder.search({ ...search, limit });
  const { count } = found;
  let last: SearchMark | undefined;
  for (let further = 0; ; further += 1) {
    await fold(found.vouchers);
    for (const voucher of found.vouchers) {
      const line = lineOf(voucher);
      if (line && lines.length === search.limit) return end(last);
      if (line) lines.push(line);
      last = voucher;
    }
    if (found.lookedUntil) return end(found.lookedUntil, true);
    if (!last || found.vouchers.length < limit) return end(undefined);
    if (further === MAX_FURTHER_SEARCHES) return end(last, lines.length === 0);
    // SQLite searches synchronously. This pause lets requests be served in between.
    await new Promise(setImmediate);
    limit = FURTHER_FACTOR * search.limit;
    const rest = { after: last, notOfBatches: [...folded.keys()], limit };
    found = await finder.search({ ...withoutCount(search), ...rest });
  }

  /** Counts the results of the batches that were not found before. */
  async function fold(vouchers: FoundVoucher[]): Promise<void> {
    const ids = new Set(
      vouchers.flatMap(({ batchId, batchSize }) => (batchId && batchSize >= minFolded ? batchId : [])),
    );
    if (ids.size === 0) return;
    for (const batch of await finder.countInBatches(search, [...ids.difference(folded)]))
      if (batch.vouchers >= minFolded) folded.set(batch.id, batch);
  }

  /** Undefined if the voucher belongs to a batch that has its line above, or on an earlier page. */
  function lineOf(voucher: FoundVoucher): Line | undefined {
    const batch = voucher.batchId === null ? undefined : folded.get(voucher.batchId);
    if (!batch) return { voucher };
    const isShown = batch.isOnEarlierPage || lines.some((line) => line.batch === batch);
    return isShown ? undefined : { voucher, batch };
  }

  async function end(next: SearchMark | undefined, isUnfinished = false): Promise<Lines> {
    for (const line of lines)
      if (line.batch && line.batch.id === opened) line.opened = await vouchersOf(line.batch.id);
    return { lines, next, isUnfinished, ...(count && { count }) };
  }

  async function vouchersOf(batchId: BatchId): Promise<FoundVoucher[]> {
    const { after: _, ...results } = withoutCount(search);
    return (await finder.search({ ...results, batchId, limit: MAX_OPENED })).vouchers;
  }
}

function withoutCount({ counts: _, ...search }: VoucherSearch): VoucherSearch {
  return search;
}
