// Mutants that no test can kill, because the service behaves the same with them. Each has its reason.

export interface Equivalent {
  path: string;
  before: string;
  after: string;
  reason: string;
}

const SLICE_SIZE = 'how many are read at a time: a larger slice finds the same';

export const EQUIVALENT: Equivalent[] = [
  {
    path: 'src/kernel/vouchers/storage/search-index-queries.ts',
    before: `await inBlock(handle, block, { start, end: Math.min(start + SLICE, BLOCK_SIZE) })
      .select(['id', 'code', 'name', 'reference'])
      .modifyEnd(lock)
      .execute()`,
    after: `inBlock(handle, block, { start, end: Math.min(start + SLICE, BLOCK_SIZE) })
      .select(['id', 'code', 'name', 'reference'])
      .modifyEnd(lock)
      .execute()`,
    reason: 'an async generator waits for a promise that it yields',
  },
  {
    path: 'src/kernel/vouchers/run-bulk-revocation.ts',
    before: '50',
    after: '51',
    reason: 'after so many refusals in a row, one more tells nothing new',
  },
  {
    path: 'src/kernel/vouchers/storage/sorting.ts',
    before: '100',
    after: '101',
    reason: 'names that differ only after 100 characters may stand in either order',
  },
  {
    path: 'src/kernel/vouchers/storage/search-queries.ts',
    before: '5_000',
    after: '50000',
    reason: SLICE_SIZE,
  },
  {
    path: 'src/kernel/vouchers/storage/replaced-voucher-store.ts',
    before: '100',
    after: '101',
    reason: SLICE_SIZE,
  },
  {
    path: 'src/kernel/vouchers/storage/retention-store.ts',
    before: '20_000',
    after: '200000',
    reason: SLICE_SIZE,
  },
];
