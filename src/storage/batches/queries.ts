// Queries for batches: vouchers that were created together.

import type { Batch, NewBatch, OpenBatch } from '../../domain/batches/batch.ts';
import { asBatchId, asSiteId, asUserId, asVoucherId, type BatchId } from '../../domain/ids.ts';
import type { Handle } from '../database.ts';
import { selectSiteName } from '../sites/queries.ts';
import { toCause } from '../sites/sync-queries.ts';
import { toOrder, toOrderColumns } from '../vouchers/order-columns.ts';
import { voucherColumns } from '../vouchers/queries.ts';

export async function insertBatch(handle: Handle, batch: NewBatch): Promise<boolean> {
  const row = await handle
    .insertInto('batches')
    .values({
      id: batch.id,
      user_id: batch.userId,
      site_id: batch.order.siteId,
      ...toOrderColumns(batch.order),
      wanted: batch.wanted,
      created_at_ms: batch.createdAtMs,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Undefined if the batch had already ended. */
export async function markBatchEnded(
  handle: Handle,
  id: BatchId,
  { problem, cause, atMs }: Pick<Batch, 'problem' | 'cause'> & { atMs: number },
): Promise<{ siteId: number; siteName: string; made: number; name: string | null } | undefined> {
  const row = await handle
    .updateTable('batches')
    .set({ ended_at_ms: atMs, problem, cause })
    .where('id', '=', id)
    .where('ended_at_ms', 'is', null)
    .returning('site_id')
    .executeTakeFirst();
  if (!row) return undefined;
  const { made, name } = await handle
    .selectFrom('vouchers')
    .select((eb) => [eb.fn.countAll<number>().as('made'), eb.fn.min('name').as('name')])
    .where('batch_id', '=', id)
    .executeTakeFirstOrThrow();
  return { siteId: row.site_id, siteName: await selectSiteName(handle, row.site_id), made, name };
}

/**
 * False if the batch has ended. An open batch is locked: it cannot end before this transaction does, so that its end
 * counts the vouchers that this transaction records.
 */
export async function holdOpenBatch(handle: Handle, id: BatchId): Promise<boolean> {
  const result = await handle
    .updateTable('batches')
    .set((eb) => ({ wanted: eb.ref('wanted') }))
    .where('id', '=', id)
    .where('ended_at_ms', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function selectOpenBatches(handle: Handle): Promise<OpenBatch[]> {
  const rows = await handle
    .selectFrom('batches')
    .innerJoin('users', 'users.id', 'batches.user_id')
    .select(['batches.id', 'users.id as userId', 'users.name'])
    .where('ended_at_ms', 'is', null)
    .execute();
  return rows.map(({ id, userId, name }) => ({ id: asBatchId(id), user: { id: asUserId(userId), name } }));
}

export async function selectBatch(handle: Handle, id: BatchId): Promise<Batch | undefined> {
  const row = await handle
    .selectFrom('batches')
    .innerJoin('sites', 'sites.id', 'batches.site_id')
    .selectAll('batches')
    .select('sites.name as site_name')
    .where('batches.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const vouchers = await handle
    .selectFrom('vouchers')
    .select(['id', ...voucherColumns])
    .where('batch_id', '=', id)
    .orderBy('id')
    .execute();
  return {
    id,
    userId: asUserId(row.user_id),
    order: { ...toOrder(row), siteId: asSiteId(row.site_id) },
    wanted: row.wanted,
    createdAtMs: row.created_at_ms,
    siteName: row.site_name,
    vouchers: vouchers.map((voucher) => ({ ...voucher, id: asVoucherId(voucher.id) })),
    endedAtMs: row.ended_at_ms,
    problem: row.problem,
    cause: toCause(row.cause),
  };
}
