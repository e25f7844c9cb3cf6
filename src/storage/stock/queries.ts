// Queries for the stock: vouchers that are made ahead. The unique index on site and controller voucher id ensures that
// each voucher is in the stock only once.

import type { Selectable } from 'kysely';
import type { UpstreamVoucher } from '../../domain/controller.ts';
import {
  asProfileId,
  asScreenId,
  asSiteId,
  asStockId,
  type ScreenId,
  type SiteId,
} from '../../domain/ids.ts';
import { slicesOf } from '../../domain/slices.ts';
import { type ReserveCount, STOCK_STATES, type StockVoucher } from '../../domain/stock/stock.ts';
import { readKnown } from '../../domain/unknown-value.ts';
import type { Intent } from '../../domain/vouchers/voucher-store.ts';
import { compileOnce, type Placeholders } from '../compiled-query.ts';
import type { Database, Handle } from '../database.ts';
import type { Tables } from '../schema.ts';
import { toOrder, toOrderColumns } from '../vouchers/order-columns.ts';

const IDS_PER_QUERY = 200;

const findOne = compileOnce((handle: Handle, { siteId, id }: Placeholders<{ siteId: SiteId; id: string }>) =>
  handle
    .selectFrom('stock')
    .select('controller_voucher_id')
    .where('site_id', '=', siteId)
    .where('controller_voucher_id', '=', id),
);

/** Of these ids of the controller, those of vouchers in the stock of the site. */
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
      state: 'ready',
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
  return row && { stocked: toStockVoucher(row), nowMs: oldest.now_ms };
}

export async function selectStock(handle: Handle, siteId?: SiteId): Promise<StockVoucher[]> {
  const all = handle.selectFrom('stock').selectAll().orderBy('id');
  const rows = await (siteId === undefined ? all : all.where('site_id', '=', siteId)).execute();
  return rows.map(toStockVoucher);
}

function toStockVoucher(row: Selectable<Tables['stock']>): StockVoucher {
  return {
    ...toOrder(row),
    id: asStockId(row.id),
    siteId: asSiteId(row.site_id),
    screenId: row.screen_id === null ? null : asScreenId(row.screen_id),
    state: readKnown(STOCK_STATES, row.state),
    code: row.code,
    controllerVoucherId: row.controller_voucher_id,
    madeAtMs: row.made_at_ms,
  };
}

/** The sites that keep a reserve, or have vouchers left of one. */
export async function selectReserves(handle: Handle, siteId?: SiteId): Promise<ReserveCount[]> {
  const all = handle
    .selectFrom('sites')
    .leftJoin('site_reserves', 'site_reserves.site_id', 'sites.id')
    .select(['sites.id', 'wanted', 'profile_id'])
    .select((eb) =>
      eb
        .selectFrom('stock')
        .select((inner) => inner.fn.countAll<number>().as('ready'))
        .whereRef('stock.site_id', '=', 'sites.id')
        .where('stock.screen_id', 'is', null)
        .where('state', '=', 'ready')
        .as('ready'),
    )
    .orderBy('sites.id');
  const rows = await (siteId === undefined ? all : all.where('sites.id', '=', siteId)).execute();
  return rows
    .map((row) => ({
      siteId: asSiteId(row.id),
      wanted: row.wanted ?? 0,
      profileId: row.profile_id === null ? null : asProfileId(row.profile_id),
      ready: Number(row.ready ?? 0),
    }))
    .filter(({ wanted, ready }) => siteId !== undefined || wanted > 0 || ready > 0);
}
