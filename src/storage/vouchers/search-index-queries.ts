// The index for the search by any part of a code or a name: filled block by block in the background, read by the voucher
// search. Vouchers that are not in the index yet are examined one by one.

import type { Expression, SqlBool } from 'kysely';
import type { SearchIndex } from '../../domain/vouchers/voucher-search.ts';
import type { Database, Handle } from '../database.ts';
import { BLOCK_MARK, BLOCK_SIZE, blockOf, findInParts, toPartRows, toWantedParts } from './search-parts.ts';
import { selectNewestVoucherId } from './usage-queries.ts';

const ROWS_PER_INSERT = 100;
/** With more blocks missing from the index, for example after an upgrade, the search does not use it. */
const MAX_MISSING = 3;

export function makeSearchIndex(database: Database): SearchIndex {
  const { read } = database;
  return {
    findLastFullBlock: async () => blockOf(await selectNewestVoucherId(read)) - 1,
    async listMissingBlocks(upTo) {
      const rows = await read
        .selectFrom('voucher_parts')
        .select('block')
        .where('part', '=', BLOCK_MARK)
        .execute();
      return missingBlocks(rows, upTo);
    },
    add: (block) =>
      database.write(async (transaction) => {
        const vouchers = await inBlock(transaction, block).select(['id', 'code', 'name']).execute();
        const rows = toPartRows(block, vouchers);
        for (let start = 0; start < rows.length; start += ROWS_PER_INSERT)
          await transaction
            .insertInto('voucher_parts')
            .values(rows.slice(start, start + ROWS_PER_INSERT))
            .onConflict((conflict) => conflict.doNothing())
            .execute();
      }),
  };
}

/** Removes the blocks of deleted vouchers from the index, which would otherwise keep parts of their names. */
export async function forgetBlocksOf(transaction: Handle, voucherIds: number[]): Promise<void> {
  const blocks = [...new Set(voucherIds.map(blockOf))];
  if (blocks.length > 0) await transaction.deleteFrom('voucher_parts').where('block', 'in', blocks).execute();
}

/**
 * The ids of all vouchers that may have this text. Undefined if that cannot be said cheaply, because the text is short
 * or common, or because vouchers are missing from the index.
 */
export async function findByText(
  handle: Handle,
  { text, matches, limit }: { text: string; matches: Expression<SqlBool>[]; limit: number },
): Promise<number[] | undefined> {
  const wanted = toWantedParts(text);
  if (!wanted) return undefined;
  // One query, because a block must not disappear between reading its mark and its parts.
  const rows = await handle
    .selectFrom('voucher_parts')
    .selectAll()
    .where('part', 'in', [BLOCK_MARK, ...new Set(wanted.flat())])
    .execute();
  const marks = rows.filter(({ part }) => part === BLOCK_MARK);
  const missing = missingBlocks(marks, blockOf(await selectNewestVoucherId(handle)));
  const ids = missing.length > MAX_MISSING ? undefined : findInParts(rows, wanted);
  if (!ids) return undefined;
  for (const block of missing) {
    if (ids.length > limit) return undefined;
    let query = inBlock(handle, block).select('vouchers.id').limit(limit);
    for (const condition of matches) query = query.where(condition);
    ids.push(...(await query.execute()).map(({ id }) => id));
  }
  return ids.length > limit ? undefined : ids;
}

function inBlock(handle: Handle, block: number) {
  return handle
    .selectFrom('vouchers')
    .where('vouchers.id', '>=', block * BLOCK_SIZE)
    .where('vouchers.id', '<', (block + 1) * BLOCK_SIZE);
}

function missingBlocks(indexed: { block: number }[], upTo: number): number[] {
  const known = new Set(indexed.map(({ block }) => block));
  return Array.from({ length: upTo + 1 }, (_, block) => block).filter((block) => !known.has(block));
}
