// Queries for lost vouchers: unused vouchers of ours that are missing on the controller.

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database, Handle } from '../../../platform/database/database.ts';
import { CONTROLLER } from '../../audit/actor.ts';
import { MAX_BATCH_SIZE } from '../../batches/batch.ts';
import {
  asBatchId,
  asSiteId,
  asVoucherId,
  type BatchId,
  type ReplacementId,
  type SiteId,
} from '../../ids.ts';
import {
  type LostCount,
  type LostGroup,
  type LostScope,
  MAX_LOST_COUNTED,
  type ReplacingBatch,
  reportedFromS,
} from '../lost-vouchers.ts';
import { nameWithoutDate } from '../voucher.ts';
import { limitColumns, toLabels, toOrder } from './order-columns.ts';
import { isIn } from './search-filter-queries.ts';

/** The value of `replaced_by` if no replacement is needed. */
export const UNNEEDED = '';

/** Must follow the same rules as `isLost` in lost-vouchers.ts, and repeat the conditions of the index vouchers_lost. */
function isLost(nowS: number): Expression<SqlBool> {
  return sql<boolean>`ended_at_s >= ${reportedFromS(nowS)} and first_used_at_s is null and used_count = 0
    and replaced_by is null and coalesce(source, '') <> ${CONTROLLER.name} and ${isIn('deleted', nowS)}`;
}

function lostIn(handle: Handle, { siteId, batchId, voucherId, untilS }: LostScope) {
  let query = handle
    .selectFrom('vouchers')
    .where('site_id', '=', siteId)
    .where(isLost(untilS))
    .where('ended_at_s', '<=', untilS);
  if (batchId !== undefined) query = query.where('batch_id', '=', batchId);
  if (voucherId !== undefined) query = query.where('id', '=', voucherId);
  return query;
}

/** Counts each site by itself, up to a limit, through its part of the index. */
export async function countLostPerSite(handle: Handle, nowS: number): Promise<Map<SiteId, LostCount>> {
  const lost = sql`from vouchers where site_id = sites.id and ${isLost(nowS)} order by ended_at_s`;
  const rows = await handle
    .selectFrom('sites')
    .select('id')
    .select(sql<number | null>`(select ended_at_s ${lost} limit 1)`.as('noticedAtS'))
    .select(
      sql<number>`(select count(*) from (select 1 ${lost} limit ${MAX_LOST_COUNTED + 1}) as counted)`.as(
        'count',
      ),
    )
    .execute();
  return new Map(
    rows.flatMap(({ id, count, noticedAtS }) =>
      noticedAtS === null ? [] : [[asSiteId(id), { count, noticedAtS }]],
    ),
  );
}

export async function countLost(handle: Handle, scope: LostScope): Promise<number> {
  const row = await lostIn(handle, scope)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** The vouchers that were noticed first, up to `limit`, grouped by their name, limits, end and labels. */
export async function selectLostGroups(
  handle: Handle,
  scope: LostScope,
  limit: number,
): Promise<LostGroup[]> {
  const rows = await lostIn(handle, scope)
    .select(['id', 'name', 'ends_at_s', 'reference', 'note', 'profile_id', ...limitColumns])
    .orderBy('ended_at_s')
    .orderBy('id')
    .limit(limit)
    .execute();
  const orders = rows.map((row) => ({
    id: asVoucherId(row.id),
    order: {
      ...toOrder(row),
      name: nameWithoutDate(row),
      siteId: scope.siteId,
      ...(row.ends_at_s !== null && { endsAtS: row.ends_at_s }),
      ...toLabels(row),
    },
  }));
  const groups = Map.groupBy(orders, ({ order }) => JSON.stringify(order));
  return [...groups.values()].flatMap(([first, ...others]) =>
    first ? [{ order: first.order, ids: [first, ...others].map(({ id }) => id) }] : [],
  );
}

/** Skips vouchers that are no longer lost. Returns the number of marked vouchers. */
export async function markReplaced(
  handle: Handle,
  { ids, batchId, listOf }: { ids: number[]; batchId: BatchId } & Pick<Database, 'listOf'>,
): Promise<number> {
  const result = await handle
    .updateTable('vouchers')
    .set({ replaced_by: batchId })
    .where(sql<boolean>`id in ${listOf(ids)}`)
    .where('replaced_by', 'is', null)
    .where('ended_at_s', 'is not', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Returns the number of vouchers. */
export async function markUnneeded(handle: Handle, scope: LostScope): Promise<number> {
  const result = await handle
    .updateTable('vouchers')
    .set({ replaced_by: UNNEEDED })
    .where('id', 'in', lostIn(handle, scope).select('id'))
    .where('replaced_by', 'is', null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** If the batch replaces more vouchers than it has, the others count as lost again. */
export async function releaseReplaced(handle: Handle, batchId: BatchId): Promise<void> {
  const { made } = await handle
    .selectFrom('vouchers')
    .select((eb) => eb.fn.countAll<number>().as('made'))
    .where('batch_id', '=', batchId)
    .executeTakeFirstOrThrow();
  const withoutReplacement = handle
    .selectFrom('vouchers')
    .select('id')
    .where('replaced_by', '=', batchId)
    .orderBy('id')
    .limit(MAX_BATCH_SIZE)
    .offset(made);
  await handle
    .updateTable('vouchers')
    .set({ replaced_by: null })
    .where('id', 'in', withoutReplacement)
    .execute();
}

export async function hasReplacement(handle: Handle, id: ReplacementId): Promise<boolean> {
  const row = await handle
    .selectFrom('batches')
    .select('id')
    .where('replacement_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectReplacing(handle: Handle, id: ReplacementId): Promise<ReplacingBatch[]> {
  const rows = await handle
    .selectFrom('batches')
    .innerJoin('sites', 'sites.id', 'batches.site_id')
    .selectAll('batches')
    .select('sites.name as site_name')
    .select((eb) =>
      eb
        .selectFrom('vouchers')
        .select((inner) => inner.fn.countAll<number>().as('made'))
        .whereRef('vouchers.batch_id', '=', 'batches.id')
        .as('made'),
    )
    .where('replacement_id', '=', id)
    .orderBy('wanted', 'desc')
    .orderBy('batches.name')
    .execute();
  return rows.map((row) => ({
    id: asBatchId(row.id),
    order: {
      ...toOrder(row),
      siteId: asSiteId(row.site_id),
      ...(row.ends_at_s !== null && { endsAtS: row.ends_at_s }),
      ...toLabels(row),
    },
    siteName: row.site_name,
    wanted: row.wanted,
    made: row.made ?? 0,
    isEnded: row.ended_at_ms !== null,
  }));
}
