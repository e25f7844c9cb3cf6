// Queries for recorded vouchers. The unique index on site and controller voucher id ensures that each voucher is
// handed out only once.

import { slicesOf } from '../../../platform/concurrency/slices.ts';
import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { type Actor, toActorText } from '../../audit/actor.ts';
import type { UpstreamVoucher } from '../../controllers/controller.ts';
import {
  asVoucherId,
  type BatchId,
  type ScreenId,
  type SiteId,
  type UserId,
  type VoucherId,
} from '../../ids.ts';
import type { AcceptedTerms } from '../order-purpose.ts';
import type { Voucher } from '../voucher.ts';
import type { Labels } from '../voucher-order.ts';
import { toLabelColumns, toOrderColumns, toTermsColumns } from './order-columns.ts';
import { toNameSortKey } from './sorting.ts';

/** The columns of the domain type `Voucher`. */
export const voucherColumns = [
  'code',
  'name',
  'max_uses as maxUses',
  'expire_minutes as expireMinutes',
  'used_count as usedCount',
  'created_at_s as createdAtS',
  'first_used_at_s as firstUsedAtS',
  'ended_at_s as endedAtS',
  'ends_at_s as endsAtS',
] as const;

const newest = compileOnce(
  (handle: Handle, { siteId, limit }: Placeholders<{ siteId: SiteId; limit: number }>) =>
    handle
      .selectFrom('vouchers')
      .select(voucherColumns)
      .where('site_id', '=', siteId)
      .orderBy('created_at_s', 'desc')
      .orderBy('id', 'desc')
      .limit(limit),
);

export async function selectNewestVouchers(
  handle: Handle,
  siteId: SiteId,
  limit: number,
): Promise<Voucher[]> {
  return (await newest(handle, { siteId, limit })).rows;
}

export interface NewVoucher {
  siteId: SiteId;
  userId?: UserId | undefined;
  batchId?: BatchId | undefined;
  actor: Actor;
  code: string;
  upstream: UpstreamVoucher;
  createdAtS: number;
  endsAtS?: number | undefined;
  labels?: Labels | undefined;
  terms?: AcceptedTerms | undefined;
  /** The screen that handed the voucher out. */
  screenId?: ScreenId | undefined;
  /** Set for a voucher from the stock: its name on the controller, which may be equal to the name in `upstream`. */
  consoleName?: string | undefined;
}

export function toVoucherColumns({ upstream, ...voucher }: NewVoucher) {
  return {
    site_id: voucher.siteId,
    code: voucher.code,
    owner_user_id: voucher.userId ?? null,
    batch_id: voucher.batchId ?? null,
    source: toActorText(voucher.actor),
    actor_id: voucher.actor.id,
    ...toOrderColumns(upstream),
    name_order: toNameSortKey(upstream.name),
    controller_voucher_id: upstream.controllerVoucherId,
    used_count: upstream.usedCount,
    created_at_s: voucher.createdAtS,
    first_used_at_s: firstUsedAtS(upstream),
    ends_at_s: voucher.endsAtS ?? null,
    ...toLabelColumns(voucher.labels),
    ...toTermsColumns(voucher.terms),
    screen_id: voucher.screenId ?? null,
    console_name: voucher.consoleName ?? null,
  };
}

/** The voucher as it is listed after it was recorded. */
export function toListed({ code, upstream, createdAtS, endsAtS }: NewVoucher): Voucher {
  const { name, maxUses, expireMinutes, usedCount } = upstream;
  const firstUsed = firstUsedAtS(upstream);
  return {
    code,
    name,
    maxUses,
    expireMinutes,
    usedCount,
    createdAtS,
    firstUsedAtS: firstUsed,
    endedAtS: null,
    endsAtS: endsAtS ?? null,
  };
}

function firstUsedAtS({ firstUsedAtMs }: UpstreamVoucher): number | null {
  return firstUsedAtMs === null ? null : Math.floor(firstUsedAtMs / 1000);
}

const insertUnlessTaken = compileOnce(
  (handle: Handle, columns: Placeholders<ReturnType<typeof toVoucherColumns>>) =>
    handle
      .insertInto('vouchers')
      .values(columns)
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
);

/** Returns the voucher's id; undefined if the controller's voucher is already recorded. */
export async function insertVoucherUnlessTaken(
  handle: Handle,
  voucher: NewVoucher,
): Promise<VoucherId | undefined> {
  const [row] = (await insertUnlessTaken(handle, toVoucherColumns(voucher))).rows;
  return row && asVoucherId(row.id);
}

const VOUCHERS_PER_INSERT = 50;

const insertManyUnlessTaken = compileOnce(
  (handle: Handle, ...rows: Placeholders<ReturnType<typeof toVoucherColumns>>[]) =>
    handle
      .insertInto('vouchers')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing()),
);

/** Skips vouchers that are already recorded. Returns the number of new vouchers. */
export async function insertVouchersUnlessTaken(handle: Handle, vouchers: NewVoucher[]): Promise<number> {
  let inserted = 0;
  for (const slice of slicesOf(vouchers, VOUCHERS_PER_INSERT)) {
    if (slice.length === VOUCHERS_PER_INSERT)
      inserted += Number(
        (await insertManyUnlessTaken(handle, ...slice.map(toVoucherColumns))).numAffectedRows,
      );
    else
      for (const voucher of slice)
        if ((await insertVoucherUnlessTaken(handle, voucher)) !== undefined) inserted++;
    // SQLite inserts synchronously. This pause lets requests be served in between.
    await new Promise(setImmediate);
  }
  return inserted;
}
