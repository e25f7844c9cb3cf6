// The index for the search by any part of a code, a name or a reference. It is filled block by block in the background,
// and read by the voucher search. Vouchers that are not in the index yet are examined one by one.

import { isDeepStrictEqual } from 'node:util';
import { type Expression, type SqlBool, sql } from 'kysely';
import { slicesOf } from '../../../platform/concurrency/slices.ts';
import type { Database, Handle } from '../../../platform/database/database.ts';
import type { SearchIndex } from '../voucher-search.ts';
import {
  addToLists,
  BLOCK_MARK,
  BLOCK_SIZE,
  blockOf,
  findInParts,
  makePartLists,
  type PartRow,
  toPartRows,
  toWantedParts,
} from './search-parts.ts';
import { selectNewestVoucherId } from './usage-queries.ts';

const ROWS_PER_INSERT = 100;
/** The number of voucher ids that are read at a time. Requests are served between two slices. */
const SLICE = 300;
/** If more blocks than this are missing, for example after an upgrade, the search does not use the index. */
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
    async add(block) {
      const { texts, rows } = await readBlock(read, block);
      await database.write(async (transaction) => {
        // Add nothing if a voucher was deleted or its text erased after the block was read, or if that is happening
        // now: the text must not stay in the index. The block is still missing then, so the worker tries again later.
        const held = new Map<number, string>();
        for await (const slice of slicesOfBlock(transaction, block, database.heldRows()))
          for (const voucher of slice) held.set(voucher.id, erasableOf(voucher));
        if (isDeepStrictEqual(held, texts)) await insertParts(transaction, rows);
      });
    },
  };
}

/** Reads a block outside of a transaction, so that other writers need not wait. */
async function readBlock(handle: Handle, block: number) {
  const texts = new Map<number, string>();
  const lists = makePartLists();
  for await (const slice of slicesOfBlock(handle, block)) {
    for (const voucher of slice) texts.set(voucher.id, erasableOf(voucher));
    addToLists(lists, slice);
  }
  return { texts, rows: toPartRows(block, lists) };
}

async function* slicesOfBlock(handle: Handle, block: number, lock = sql``) {
  for (let start = 0; start < BLOCK_SIZE; start += SLICE) {
    yield await inBlock(handle, block, { start, end: Math.min(start + SLICE, BLOCK_SIZE) })
      .select(['id', 'code', 'name', 'reference'])
      .modifyEnd(lock)
      .execute();
    await new Promise(setImmediate);
  }
}

const erasableOf = ({ name, reference }: { name: string; reference: string | null }) =>
  JSON.stringify([name, reference]);

async function insertParts(transaction: Handle, rows: PartRow[]): Promise<void> {
  for (const slice of slicesOf(rows, ROWS_PER_INSERT)) {
    await transaction
      .insertInto('voucher_parts')
      .values(slice)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await new Promise(setImmediate);
  }
}

/** Removes the blocks of deleted vouchers from the index, which would otherwise keep parts of their names. */
export async function forgetBlocksOf(transaction: Handle, voucherIds: number[]): Promise<void> {
  const blocks = [...new Set(voucherIds.map(blockOf))];
  if (blocks.length > 0) await transaction.deleteFrom('voucher_parts').where('block', 'in', blocks).execute();
}

/**
 * The ids of all vouchers that may have this text. Undefined if finding them would be slow, because the text is short
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
    let query = inBlock(handle, block)
      .select('vouchers.id')
      .limit(limit + 1);
    for (const condition of matches) query = query.where(condition);
    ids.push(...(await query.execute()).map(({ id }) => id));
  }
  return ids.length > limit ? undefined : ids;
}

function inBlock(handle: Handle, block: number, { start, end } = { start: 0, end: BLOCK_SIZE }) {
  return handle
    .selectFrom('vouchers')
    .where('vouchers.id', '>=', block * BLOCK_SIZE + start)
    .where('vouchers.id', '<', block * BLOCK_SIZE + end);
}

function missingBlocks(indexed: { block: number }[], upTo: number): number[] {
  const known = new Set(indexed.map(({ block }) => block));
  return Array.from({ length: upTo + 1 }, (_, block) => block).filter((block) => !known.has(block));
}
