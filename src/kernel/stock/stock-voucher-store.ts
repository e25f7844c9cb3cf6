// The records of the stock, and its queries. Each method that writes is one transaction. The unique index on site and
// controller voucher id ensures that each voucher is in the stock only once. For a voucher without such an id, it is
// the one on site and code.

import { type RawBuilder, type Selectable, sql } from 'kysely';
import { slicesOf } from '../../platform/concurrency/slices.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { readKnown } from '../../platform/values/unknown-value.ts';
import type { UpstreamVoucher } from '../controllers/controller.ts';
import { asScreenId, asSiteId, asStockId, type ScreenId, type SiteId, type StockId } from '../ids.ts';
import { raiseListVersion } from '../sites/site-queries.ts';
import { toOrder, toOrderColumns } from '../vouchers/storage/order-columns.ts';
import { idsOf, insertForeignVouchers } from '../vouchers/storage/usage-queries.ts';
import type { Intent } from '../vouchers/voucher-records.ts';
import {
  GONE_KEPT_MS,
  STOCK_STATES,
  type StockRecords,
  type StockState,
  type StockVoucher,
} from './stock-voucher.ts';

const IDS_PER_QUERY = 200;

export function makeStockRecords({ read, write, now, listOf }: Database): StockRecords {
  async function mark(ids: StockId[], { from, to }: { from: StockState[]; to: StockState }): Promise<void> {
    if (ids.length === 0) return;
    await write((transaction) =>
      transaction
        .updateTable('stock')
        .set({ state: to, missing_since_ms: to === 'missing' || to === 'gone' ? now() : null })
        .where('id', 'in', listOf(ids))
        .where('state', 'in', from)
        .execute(),
    );
  }

  return {
    list: (siteId) => selectStock(read, now(), siteId),
    dropRecorded: (siteId) => write((transaction) => deleteRecordedStock(transaction, siteId)),
    markMissing: (ids) => mark(ids, { from: ['ready'], to: 'missing' }),
    markFound: (ids) => mark(ids, { from: ['missing'], to: 'ready' }),
    markLeaving: (ids) => mark(ids, { from: ['ready', 'missing'], to: 'leaving' }),
    identify: async (id, controllerVoucherId) => {
      await write((transaction) =>
        transaction
          .updateTable('stock')
          .set({ controller_voucher_id: controllerVoucherId })
          .where('id', '=', id)
          .where('controller_voucher_id', 'is', null)
          .execute(),
      );
    },
    recordUsed: (siteId, vouchers) =>
      write(async (transaction) => {
        const taken = await deleteFromStock(transaction, siteId, idsOf(vouchers));
        const used = vouchers.filter(({ controllerVoucherId: id }) => id !== null && taken.has(id));
        if (used.length === 0) return;
        await insertForeignVouchers(transaction, siteId, used);
        await raiseListVersion(transaction, siteId);
      }),
    markGone: (id) => mark([id], { from: ['leaving'], to: 'gone' }),
    dropGone: (siteId) => write((transaction) => deleteGone(transaction, siteId, now())),
  };
}

const findOne = compileOnce((handle: Handle, { siteId, id }: Placeholders<{ siteId: SiteId; id: string }>) =>
  handle
    .selectFrom('stock')
    .select('controller_voucher_id')
    .where('site_id', '=', siteId)
    .where('controller_voucher_id', '=', id),
);

/** Returns the ids among these that belong to vouchers in the stock of the site. */
export async function selectInStock(handle: Handle, siteId: SiteId, ids: string[]): Promise<string[]> {
  const [first, ...others] = ids;
  // Almost every order has one candidate.
  if (first !== undefined && others.length === 0)
    return (await findOne(handle, { siteId, id: first })).rows.length > 0 ? [first] : [];
  const found: string[] = [];
  for (const asked of slicesOf(ids, IDS_PER_QUERY)) {
    const rows = await handle
      .selectFrom('stock')
      .select('controller_voucher_id')
      .where('site_id', '=', siteId)
      .where('controller_voucher_id', 'in', asked)
      .execute();
    found.push(...rows.map((row) => row.controller_voucher_id).filter((id) => id !== null));
  }
  return found;
}

/**
 * False if the voucher is already in the stock. Stores the limits that were ordered: a controller may round them, and
 * the stock is compared with what is wanted.
 */
export async function insertStockUnlessTaken(
  handle: Handle,
  { siteId, order, purpose, createdAtMs }: Intent,
  { name, code, controllerVoucherId }: UpstreamVoucher & { code: string },
): Promise<boolean> {
  const row = await handle
    .insertInto('stock')
    .values({
      site_id: siteId,
      screen_id: purpose?.kind === 'stock' ? purpose.screenId : null,
      state: purpose?.kind === 'discard' ? 'leaving' : 'ready',
      ...toOrderColumns({ ...order, name }),
      code,
      controller_voucher_id: controllerVoucherId,
      made_at_ms: createdAtMs,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export interface StockOf {
  siteId: SiteId;
  /** Null for the reserve. */
  screenId: ScreenId | null;
}

export interface TakenVoucher {
  stocked: StockVoucher;
  /** By the clock of the database. */
  nowMs: number;
}

/** Takes the oldest ready voucher out of the stock. Two transactions never get the same one. */
export async function takeReady(
  transaction: Handle,
  { siteId, screenId }: StockOf,
  { freeRows, now }: Pick<Database, 'freeRows' | 'now'>,
): Promise<TakenVoucher | undefined> {
  const oldest = await transaction
    .selectFrom('stock')
    .select('id')
    .select(now().as('now_ms'))
    .where('site_id', '=', siteId)
    .where('screen_id', screenId === null ? 'is' : '=', screenId)
    .where('state', '=', 'ready')
    .orderBy('id')
    .limit(1)
    .modifyEnd(freeRows())
    .executeTakeFirst();
  if (!oldest) return undefined;
  const row = await transaction
    .deleteFrom('stock')
    .where('id', '=', oldest.id)
    .returningAll()
    .executeTakeFirst();
  const { now_ms: nowMs } = oldest;
  return row && { stocked: toStockVoucher({ ...row, now_ms: nowMs }), nowMs };
}

export async function selectStock(
  handle: Handle,
  now: RawBuilder<number>,
  siteId?: SiteId,
): Promise<StockVoucher[]> {
  const all = handle
    .selectFrom('stock')
    .selectAll()
    .select(now.as('now_ms'))
    .where('state', '<>', 'gone')
    .orderBy('id');
  const rows = await (siteId === undefined ? all : all.where('site_id', '=', siteId)).execute();
  return rows.map(toStockVoucher);
}

function toStockVoucher(row: Selectable<Tables['stock']> & { now_ms: number }): StockVoucher {
  return {
    ...toOrder(row),
    id: asStockId(row.id),
    siteId: asSiteId(row.site_id),
    screenId: row.screen_id === null ? null : asScreenId(row.screen_id),
    state: readKnown(STOCK_STATES, row.state),
    code: row.code,
    controllerVoucherId: row.controller_voucher_id,
    madeAtMs: row.made_at_ms,
    ageMs: row.now_ms - row.made_at_ms,
    missing:
      row.missing_since_ms === null
        ? null
        : { sinceMs: row.missing_since_ms, forMs: row.now_ms - row.missing_since_ms },
  };
}

export async function deleteRecordedStock(handle: Handle, siteId: SiteId): Promise<void> {
  await handle
    .deleteFrom('stock')
    .where('site_id', '=', siteId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('vouchers')
          .select('vouchers.id')
          .whereRef('vouchers.site_id', '=', 'stock.site_id')
          .whereRef('vouchers.controller_voucher_id', '=', 'stock.controller_voucher_id'),
      ),
    )
    .execute();
}

export async function deleteGone(handle: Handle, siteId: SiteId, now: RawBuilder<number>): Promise<void> {
  await handle
    .deleteFrom('stock')
    .where('site_id', '=', siteId)
    .where('state', '=', 'gone')
    .where(sql<boolean>`abs(${now} - missing_since_ms) >= ${GONE_KEPT_MS}`)
    .execute();
}

/** Returns the ids that the stock had. */
export async function deleteFromStock(handle: Handle, siteId: SiteId, ids: string[]): Promise<Set<string>> {
  const rows = await handle
    .deleteFrom('stock')
    .where('site_id', '=', siteId)
    .where('controller_voucher_id', 'in', ids)
    .returning('controller_voucher_id')
    .execute();
  return new Set(rows.map((row) => row.controller_voucher_id).filter((id) => id !== null));
}
