// All vouchers that match a search, read in pages, so that other requests run in between.

import type { FoundVoucher, SearchMark, VoucherFinder, VoucherSearch } from './voucher-search.ts';

const ROWS_AT_ONCE = 1_000;

export async function* foundChunks(
  finder: VoucherFinder,
  search: Omit<VoucherSearch, 'limit' | 'after'>,
): AsyncGenerator<FoundVoucher[]> {
  for (let after: SearchMark | undefined; ; ) {
    const found = await finder.search({ ...search, ...(after && { after }), limit: ROWS_AT_ONCE });
    yield found.vouchers;
    after = found.lookedUntil ?? found.vouchers.at(-1);
    if (found.vouchers.length < ROWS_AT_ONCE && !found.lookedUntil) return;
    await new Promise(setImmediate);
  }
}
