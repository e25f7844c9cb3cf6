// The store for the stock. Each method that writes is one transaction.

import { type RawBuilder, sql } from 'kysely';
import { asProfileId, asScreenId, asSiteId, type SiteId } from '../../kernel/ids.ts';
import { sealMessages } from '../../kernel/messages/held-queries.ts';
import { STOCK_STATES } from '../../kernel/stock/stock-voucher.ts';
import { makeStockRecords, takeReady } from '../../kernel/stock/stock-voucher-store.ts';
import { discardIntents } from '../../kernel/vouchers/storage/intent-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { readKnown } from '../../platform/values/unknown-value.ts';
import { beginApproval, finishApproval, undoApproval } from '../requests/purpose-queries.ts';
import { findScreenProblem } from '../screens/place-queries.ts';
import { recordHandedOut } from './handed-out-queries.ts';
import {
  RESERVE_NAME,
  type ReserveCount,
  type StockCount,
  type StockGroup,
  type StockStore,
  type StockTarget,
} from './stock.ts';

/** `onTaken` is called after a voucher was handed out. */
export function makeStockStore(database: Database, seal: Seal, onTaken: () => void): StockStore {
  const { read, write, now } = database;

  return {
    ...makeStockRecords(database),
    async findReserve(siteId) {
      const [found] = await selectReserves(read, siteId);
      return found ?? { siteId, wanted: 0, profileId: null, ready: 0 };
    },
    listReserves: () => selectReserves(read),
    listGroups: () => selectGroups(read, now()),
    listTargets: () => selectTargets(read, now()),
    countReady: () => countReadyStock(read, now()),
    handOut: async ({ name: _, messages = [], replaces = [], guestRequestId, ...order }) => {
      const outcome = await write(async (transaction) => {
        const { siteId, screenId, actor, ip } = order;
        // First of all: see `Seal`.
        const sealedMessages = await sealMessages(transaction, seal, messages);
        if (screenId !== undefined) {
          const screen = { screenId, siteId, except: replaces };
          if (await findScreenProblem(transaction, screen, database)) return 'screen-limit' as const;
        }
        if (guestRequestId !== undefined && (await beginApproval(transaction, guestRequestId, actor)))
          return 'request-decided' as const;
        for (;;) {
          const taken = await takeReady(transaction, { siteId, screenId: null }, database);
          if (!taken) {
            if (guestRequestId !== undefined) await undoApproval(transaction, guestRequestId);
            return undefined;
          }
          await discardIntents(transaction, replaces);
          const handedOut = await recordHandedOut(transaction, { ...order, ...taken, sealedMessages });
          // A voucher that is recorded already belongs to somebody. It leaves the stock, and the next one is taken.
          if (!handedOut) continue;
          const { id: voucherId } = handedOut;
          if (guestRequestId !== undefined)
            await finishApproval(transaction, {
              requestId: guestRequestId,
              voucherId,
              actor,
              ...(ip !== undefined && { ip }),
              now,
            });
          return handedOut;
        }
      });
      onTaken();
      return outcome;
    },
  };
}

async function selectGroups(handle: Handle, now: RawBuilder<number>): Promise<StockGroup[]> {
  const limits = ['max_uses', 'expire_minutes', 'down_kbps', 'up_kbps', 'quota_mb'] as const;
  const rows = await handle
    .selectFrom('stock')
    .select(['site_id', 'screen_id', 'state', ...limits])
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min('made_at_ms').as('made_at_ms'),
      eb.fn.min('missing_since_ms').as('missing_since_ms'),
      now.as('now_ms'),
    ])
    .groupBy(['site_id', 'screen_id', 'state', ...limits])
    .execute();
  return rows.map((row) => ({
    siteId: asSiteId(row.site_id),
    screenId: row.screen_id === null ? null : asScreenId(row.screen_id),
    state: readKnown(STOCK_STATES, row.state),
    maxUses: row.max_uses,
    expireMinutes: row.expire_minutes,
    downKbps: row.down_kbps,
    upKbps: row.up_kbps,
    quotaMb: row.quota_mb,
    count: Number(row.count),
    oldestMs: row.now_ms - row.made_at_ms,
    missingForMs: row.missing_since_ms === null ? 0 : row.now_ms - row.missing_since_ms,
  }));
}

/** The sites that keep a reserve, or have vouchers left of one. */
async function selectReserves(handle: Handle, siteId?: SiteId): Promise<ReserveCount[]> {
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

/** A look that lies too far in the future is ignored: the clock was wrong then. */
async function selectTargets(handle: Handle, now: RawBuilder<number>): Promise<StockTarget[]> {
  const reserves = await handle.selectFrom('site_reserves').selectAll().where('wanted', '>', 0).execute();
  const idle = sql`idle_minutes * 60000.0`;
  const isLookedAt = sql<number>`case
    when looked_at_ms > ${now} - ${idle} and looked_at_ms < ${now} + ${idle} then 1 else 0 end`;
  const screens = await handle
    .selectFrom('screens')
    .select(['id', 'site_id', 'name', 'profile_ids'])
    .select(isLookedAt.as('is_looked_at'))
    .where('kind', '=', 'rolling')
    .execute();
  return [
    ...reserves.map((row) => ({
      siteId: asSiteId(row.site_id),
      screenId: null,
      name: RESERVE_NAME,
      profileIds: row.profile_id === null ? [] : [asProfileId(row.profile_id)],
      wanted: row.wanted,
      isAwaited: true,
    })),
    ...screens.map((row) => ({
      siteId: asSiteId(row.site_id),
      screenId: asScreenId(row.id),
      name: row.name,
      profileIds: row.profile_ids
        .split(',')
        .filter((id) => id !== '')
        .map((id) => asProfileId(Number(id))),
      wanted: 1,
      isAwaited: row.is_looked_at === 1,
    })),
  ];
}

async function countReadyStock(handle: Handle, now: RawBuilder<number>): Promise<StockCount[]> {
  const sites = await handle.selectFrom('sites').select('id').where('active', '=', 1).orderBy('id').execute();
  const reserves = await selectReserves(handle);
  const screens = await handle
    .selectFrom('stock')
    .select('site_id')
    .select((eb) => eb.fn.countAll<number>().as('ready'))
    .where('state', '=', 'ready')
    .where('screen_id', 'is not', null)
    .groupBy('site_id')
    .execute();
  const awaited = (await selectTargets(handle, now)).filter((target) => target.screenId && target.isAwaited);
  return sites.flatMap(({ id }): StockCount[] => {
    const siteId = asSiteId(id);
    const reserve = reserves.find((one) => one.siteId === siteId);
    const onScreens = screens.find((row) => row.site_id === id)?.ready;
    const isAwaited = awaited.some((target) => target.siteId === siteId);
    return [
      ...(reserve ? [{ siteId, purpose: 'reserve' as const, ready: reserve.ready }] : []),
      ...(onScreens || isAwaited
        ? [{ siteId, purpose: 'screen' as const, ready: Number(onScreens ?? 0) }]
        : []),
    ];
  });
}
