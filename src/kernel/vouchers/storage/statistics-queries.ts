// Voucher counts for the overview. Only vouchers created since a given time are counted.

import { sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { asSiteId, type SiteId } from '../../ids.ts';
import type { Day, DayCount } from '../statistics.ts';
import { VOUCHER_STATES, type VoucherState } from '../voucher-state.ts';
import { isIn } from './search-filter-queries.ts';

/** Counts each day on its own, through the index by time. Grouping by day would have to sort all vouchers. */
const perDay = compileOnce((_: Handle, ...days: Placeholders<Pick<Day, 'fromS' | 'beforeS'>>[]) => {
  const counts = days.map(
    ({ fromS, beforeS }, day) =>
      sql`select ${sql.lit(day)} as day, count(*) as count from vouchers where created_at_s >= ${fromS} and created_at_s < ${beforeS}`,
  );
  return sql<{ day: number; count: number }>`${sql.join(counts, sql` union all `)} order by day`;
});

export async function selectVouchersPerDay(handle: Handle, days: Day[]): Promise<DayCount[]> {
  const { rows } = await perDay(handle, ...days.map(({ fromS, beforeS }) => ({ fromS, beforeS })));
  return days.map(({ date }, day) => ({ date, count: rows[day]?.count ?? 0 }));
}

type StatesOfSite = { site_id: number } & Record<VoucherState, number>;

/** Reads the sites one by one, each through the index of its vouchers by time. */
const perSite = compileOnce((_: Handle, { fromS, nowS }: Placeholders<{ fromS: number; nowS: number }>) => {
  const counts = VOUCHER_STATES.map(
    (state) => sql`count(*) filter (where ${isIn(state, nowS)}) as ${sql.id(state)}`,
  );
  return sql<StatesOfSite>`select site_id, ${sql.join(counts)} from vouchers
    where site_id in (select id from sites) and created_at_s >= ${fromS} group by site_id`;
});

export async function selectStatesPerSite(
  handle: Handle,
  fromS: number,
  nowS: number,
): Promise<Map<SiteId, Record<VoucherState, number>>> {
  const { rows } = await perSite(handle, { fromS, nowS });
  return new Map(rows.map(({ site_id, ...counts }) => [asSiteId(site_id), counts]));
}
