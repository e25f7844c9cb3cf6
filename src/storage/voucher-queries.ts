// Questions about recorded vouchers. The unique index on site and controller voucher id is what hands
// each voucher out once.

import type { UpstreamVoucher } from '../domain/controller.ts';
import type { SiteId } from '../domain/ids.ts';
import type { Voucher } from '../domain/vouchers/voucher.ts';
import type { Handle } from './database.ts';
import { toOrderColumns } from './order-columns.ts';

export async function selectNewestVouchers(
  handle: Handle,
  siteId: SiteId,
  atMost: number,
): Promise<Voucher[]> {
  const rows = await handle
    .selectFrom('vouchers')
    .select([
      'code',
      'name',
      'max_uses as maxUses',
      'expire_minutes as expireMinutes',
      'used_count as usedCount',
      'created_at_s as createdAtS',
      'first_used_at_s as firstUsedAtS',
      'ended_at_s as endedAtS',
    ])
    .where('site_id', '=', siteId)
    .orderBy('created_at_s', 'desc')
    .orderBy('id', 'desc')
    .limit(atMost)
    .execute();
  return rows;
}

export interface NewVoucher {
  siteId: SiteId;
  code: string;
  upstream: UpstreamVoucher;
  createdAtS: number;
}

/** False when the controller's voucher is on record already. */
export async function insertVoucherUnlessTaken(handle: Handle, voucher: NewVoucher): Promise<boolean> {
  const { upstream } = voucher;
  const row = await handle
    .insertInto('vouchers')
    .values({
      site_id: voucher.siteId,
      code: voucher.code,
      ...toOrderColumns(upstream),
      controller_voucher_id: upstream.controllerVoucherId,
      used_count: upstream.usedCount,
      created_at_s: voucher.createdAtS,
      first_used_at_s: upstream.firstUsedAtMs === null ? null : Math.floor(upstream.firstUsedAtMs / 1000),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}
