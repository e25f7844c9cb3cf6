// Queries for the reserves of sites.

import { asProfileId, asSiteId, type SiteId } from '../../kernel/ids.ts';
import type { StockState } from '../../kernel/stock/stock-voucher.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { ReserveState } from './reserve.ts';
import type { Reserve } from './stock.ts';

const READY: StockState = 'ready';

export async function selectReserveStates(handle: Handle, siteId?: SiteId): Promise<ReserveState[]> {
  const settings = await handle
    .selectFrom('site_reserves')
    .select(['site_id', 'wanted', 'profile_id'])
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? 0))
    .execute();
  const counts = await handle
    .selectFrom('stock')
    .select((eb) => [
      'site_id',
      eb.fn.countAll<number>().as('ready'),
      eb.fn.max('made_at_ms').as('last_made_at_ms'),
      eb.fn.min('id').as('next_id'),
    ])
    .where('screen_id', 'is', null)
    .where('state', '=', READY)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? 0))
    .groupBy('site_id')
    .execute();
  const siteIds = new Set([...settings, ...counts].map((row) => row.site_id));
  const states: ReserveState[] = [];
  for (const id of [...siteIds].sort((one, other) => one - other)) {
    const set = settings.find((row) => row.site_id === id);
    const counted = counts.find((row) => row.site_id === id);
    const profileId = set?.profile_id ?? null;
    states.push({
      siteId: asSiteId(id),
      wanted: set?.wanted ?? 0,
      profileId: profileId === null ? null : asProfileId(profileId),
      ready: counted?.ready ?? 0,
      lastMadeAtMs: counted?.last_made_at_ms ?? null,
      next: counted ? await selectLimits(handle, counted.next_id) : null,
    });
  }
  return states;
}

/** Null if it was handed out in the meantime. */
async function selectLimits(handle: Handle, id: number): Promise<ReserveState['next']> {
  const row = await handle
    .selectFrom('stock')
    .select([
      'max_uses as maxUses',
      'expire_minutes as expireMinutes',
      'down_kbps as downKbps',
      'up_kbps as upKbps',
      'quota_mb as quotaMb',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

export async function upsertReserve(handle: Handle, { siteId, wanted, profileId }: Reserve): Promise<void> {
  const values = { wanted, profile_id: profileId };
  await handle
    .insertInto('site_reserves')
    .values({ site_id: siteId, ...values })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(values))
    .execute();
}
