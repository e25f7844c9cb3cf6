// Voucher counts for the overview. Only vouchers created since a given time are counted.

import { sql } from 'kysely';
import { asSiteId, type SiteId } from '../../domain/ids.ts';
import type { VoucherState } from '../../domain/vouchers/voucher-state.ts';
import type { Handle } from '../database.ts';
import { isIn } from './search-filter-queries.ts';

export async function selectVouchersPerHour(handle: Handle, fromS: number): Promise<Map<number, number>> {
  const hour = sql<number>`created_at_s / 3600`;
  const rows = await handle
    .selectFrom('vouchers')
    .select((eb) => [hour.as('hour'), eb.fn.countAll<number>().as('count')])
    .where('created_at_s', '>=', fromS)
    .groupBy(hour)
    .execute();
  return new Map(rows.map(({ hour: number, count }) => [number, count]));
}

export async function selectStatesPerSite(
  handle: Handle,
  fromS: number,
  nowS: number,
): Promise<Map<SiteId, Record<VoucherState, number>>> {
  const counted = <State extends VoucherState>(state: State) =>
    sql<number>`cast(sum(case when ${isIn(state, nowS)} then 1 else 0 end) as bigint)`.as(state);
  // `+ 0` makes the query use the index by time instead of an index by site, which contains all vouchers ever created.
  const site = sql<number>`site_id + 0`;
  const rows = await handle
    .selectFrom('vouchers')
    .select([site.as('site_id'), counted('unused'), counted('in-use'), counted('used-up')])
    .select([counted('expired'), counted('revoked'), counted('deleted')])
    .where('created_at_s', '>=', fromS)
    .groupBy(site)
    .execute();
  return new Map(rows.map(({ site_id, ...counts }) => [asSiteId(site_id), counts]));
}
