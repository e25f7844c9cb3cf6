// Queries for retention. They count the old rows for the preview, and delete them in slices. The ids of a slice are
// read first: with outdated statistics, PostgreSQL would run a subquery again for each row of the table and exceed the
// statement time-out. Each delete checks the age again, because a row may change while the delete waits for its lock.

import { type Expression, type SqlBool, sql } from 'kysely';
import type { Handle } from '../../../platform/database/database.ts';
import { serviceActor } from '../../audit/actor.ts';
import { toAuditColumns } from '../../audit/audit-queries.ts';
import { asSiteId, type SiteId } from '../../ids.ts';
import type { RetentionPreview } from '../retention.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The expression must match the index `vouchers_over` and follow the same rule as `endOfS`. */
const expiry = sql`coalesce(first_used_at_s, missing_since_s) + expire_minutes * 60`;
const end = sql<number>`(case when ${expiry} < ended_at_s then ${expiry} else coalesce(ended_at_s, ${expiry}) end)`;
const hasEnd = sql<boolean>`(ended_at_s is not null or first_used_at_s is not null or missing_since_s is not null)`;

/** The controller may still have a voucher that was not deleted there after its own end, so its record stays. */
const isDeletedAtOwnEnd = sql<boolean>`(ends_at_s is null or ended_at_s is not null)`;

function endedBefore(beforeS: number): Expression<SqlBool> {
  return sql<boolean>`(${hasEnd} and ${end} < ${beforeS} and ${isDeletedAtOwnEnd})`;
}

/** The earliest and the latest end of the vouchers that ended before `beforeS`; null if there are none. */
export async function selectOldEnds(handle: Handle, beforeS: number): Promise<RetentionPreview['endedS']> {
  const ends = handle.selectFrom('vouchers').select(end.as('end')).where(endedBefore(beforeS)).limit(1);
  const first = await ends.orderBy(end).executeTakeFirst();
  const last = await ends.orderBy(end, 'desc').executeTakeFirst();
  return first && last ? { first: first.end, last: last.end } : null;
}

export async function countVouchersEnded(handle: Handle, fromS: number, beforeS: number): Promise<number> {
  const row = await handle
    .selectFrom('vouchers')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(endedBefore(beforeS))
    .where(end, '>=', fromS)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function deleteOldVouchers(
  handle: Handle,
  beforeS: number,
  limit: number,
): Promise<{ id: number; siteId: SiteId }[]> {
  // Skip sites with an old open intent. The intent could claim a deleted voucher that the controller still lists.
  const unsettled = handle
    .selectFrom('intents')
    .select('site_id')
    .where('created_at_ms', '<', beforeS * 1_000 + DAY_MS);
  const oldest = handle
    .selectFrom('vouchers')
    .select('id')
    .where(endedBefore(beforeS))
    // Keep vouchers that were created after `beforeS`. They cannot have ended before it: the clock of the controller or
    // of this machine was wrong.
    .where('created_at_s', '<', beforeS)
    .where('site_id', 'not in', unsettled)
    .orderBy(end)
    .limit(limit);
  const ids = (await oldest.execute()).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await handle
    .deleteFrom('vouchers')
    .where('id', 'in', ids)
    // `+ 0` keeps PostgreSQL from using the index `vouchers_over`, through which it would read all old vouchers.
    .where(sql<boolean>`${end} + 0 < ${beforeS} and ${isDeletedAtOwnEnd}`)
    .returning(['id', 'site_id'])
    .execute();
  return rows.map(({ id, site_id }) => ({ id, siteId: asSiteId(site_id) }));
}

interface Slice<Id> {
  afterId: Id;
  limit: number;
}

export async function selectExistingBatchIds(
  handle: Handle,
  { afterId, limit }: Slice<string>,
): Promise<string[]> {
  const ids = handle.selectFrom('batches').select('id').where('id', '>', afterId).orderBy('id').limit(limit);
  return (await ids.execute()).map(({ id }) => id);
}

export async function selectAuditIdsAfter(
  handle: Handle,
  { afterId, limit }: Slice<number>,
): Promise<number[]> {
  const ids = handle.selectFrom('audit').select('id').where('id', '>', afterId).orderBy('id').limit(limit);
  return (await ids.execute()).map(({ id }) => id);
}

/** The last id of a slice; undefined if the slice is not full and therefore the last one. */
export async function selectEndOfAudit(
  handle: Handle,
  { afterId, limit }: Slice<number>,
): Promise<number | undefined> {
  const ids = handle.selectFrom('audit').select('id').where('id', '>', afterId).orderBy('id');
  const row = await ids
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Deletes batches that have ended and have neither vouchers nor open intents. */
export async function deleteEmptyBatches(handle: Handle, ids: string[], beforeMs: number): Promise<number> {
  if (ids.length === 0) return 0;
  const result = await handle
    .deleteFrom('batches')
    .where('id', 'in', ids)
    .where('created_at_ms', '<', beforeMs)
    .where('ended_at_ms', 'is not', null)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('vouchers').select('vouchers.id').whereRef('batch_id', '=', 'batches.id'))),
    )
    .where('id', 'not in', (eb) =>
      eb.selectFrom('intents').select(sql<string>`batch_id`.as('batch_id')).where('batch_id', 'is not', null),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Also returns the earliest and the latest time of the old rows; both are null if there are none. */
export async function countOldAuditRows(
  handle: Handle,
  { afterId, limit, beforeMs }: Slice<number> & { beforeMs: number },
) {
  const looked = handle
    .selectFrom('audit')
    .select('at_ms')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .as('looked');
  return handle
    .selectFrom(looked)
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.min<number | null>('at_ms').as('first'),
      eb.fn.max<number | null>('at_ms').as('last'),
    ])
    .where('at_ms', '<', beforeMs)
    .executeTakeFirstOrThrow();
}

export async function deleteOldAuditRows(handle: Handle, ids: number[], beforeMs: number): Promise<number> {
  if (ids.length === 0) return 0;
  const result = await handle
    .deleteFrom('audit')
    .where('id', 'in', ids)
    .where('at_ms', '<', beforeMs)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/**
 * Writes how many rows a run has deleted so far. Each run has one row in the audit log: the first deletion inserts the
 * row, later deletions update it.
 */
export async function writeRunRow(
  handle: Handle,
  { id, atMs }: { id: number | undefined; atMs: number },
  counts: Record<string, number>,
): Promise<number> {
  const actor = serviceActor('Clean-up');
  const columns = toAuditColumns({ atMs, actor, action: 'retention.applied', details: { counts } });
  const { subject, details } = columns;
  if (id !== undefined) {
    await handle.updateTable('audit').set({ subject, details }).where('id', '=', id).execute();
    return id;
  }
  const row = await handle.insertInto('audit').values(columns).returning('id').executeTakeFirstOrThrow();
  return row.id;
}
