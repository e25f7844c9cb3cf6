// Queries for what a batch still lacks, why it waits, and whether it can be opened again.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import { publishedCause } from '../controllers/controller.ts';
import type { BatchId } from '../ids.ts';
import {
  GOES_ON_FOR_MS,
  type Progress,
  RETRIED_FOR_MS,
  type Resumption,
  retryIdOf,
  type Why,
} from './batch.ts';
import { holdOpenBatch } from './batch-queries.ts';

/**
 * A batch with the number of its vouchers and of its open intents. One query, so that a voucher counts once while it is
 * being recorded.
 */
function countedBatch(handle: Handle, id: BatchId) {
  const count = (table: 'vouchers' | 'intents') =>
    sql<number>`(select count(*) from ${sql.table(table)} where ${sql.ref(table)}.batch_id = batches.id)`;
  return handle
    .selectFrom('batches')
    .select(['wanted', count('vouchers').as('made'), count('intents').as('unsettled')])
    .where('id', '=', id);
}

export async function selectProgress(
  handle: Handle,
  id: BatchId,
  now: RawBuilder<number>,
): Promise<Progress | undefined> {
  const row = await countedBatch(handle, id)
    .select(sql<number>`coalesce(goes_on_until_ms, 0) - ${now}`.as('left_ms'))
    .where('ended_at_ms', 'is', null)
    .executeTakeFirst();
  if (!row) return undefined;
  const { wanted, made, unsettled, left_ms: leftMs } = row;
  return {
    missing: Math.max(0, wanted - made - unsettled),
    unsettled,
    // More time than there was in the beginning means that the clock was set back.
    isOver: leftMs <= 0 || leftMs > GOES_ON_FOR_MS,
  };
}

export async function setWait(handle: Handle, id: BatchId, { problem, cause }: Why): Promise<void> {
  await handle
    .updateTable('batches')
    .set({ problem, cause: cause && publishedCause(cause) })
    .where('id', '=', id)
    .where('ended_at_ms', 'is', null)
    .execute();
}

/** Returns false if the batch is open: nothing may take its place. */
export async function replaceBatch(
  handle: Handle,
  id: BatchId,
  { by, atMs }: { by: BatchId; atMs: number },
): Promise<boolean> {
  if (await holdOpenBatch(handle, id)) return false;
  await handle
    .updateTable('batches')
    .set({ settled_at_ms: atMs, replaced_by: by })
    .where('id', '=', id)
    .execute();
  return true;
}

/** Opens a failed batch again. Vouchers that it has already are not announced again when it ends. */
export async function reopenBatch(handle: Handle, id: BatchId, now: RawBuilder<number>): Promise<Resumption> {
  await holdOpenBatch(handle, id);
  const row = await countedBatch(handle, id)
    .select(['problem', 'ended_at_ms', 'replacement_id', sql<number>`${now} - ended_at_ms`.as('age_ms')])
    .select('replaced_by')
    .executeTakeFirst();
  if (!row) return 'gone';
  const { wanted, made, unsettled } = row;
  if (row.ended_at_ms === null || row.problem === null || made >= wanted) return 'not-needed';
  const retry = handle.selectFrom('batches').select('id').where('id', '=', retryIdOf(id));
  if (row.replacement_id !== null || row.replaced_by !== null || (await retry.executeTakeFirst()))
    return 'replaced';
  if (unsettled > 0) return 'unsettled';
  if (Math.abs(row.age_ms) >= RETRIED_FOR_MS) return 'too-old';
  await handle
    .updateTable('batches')
    .set({
      ...{ ended_at_ms: null, problem: null, cause: null, settled_at_ms: null, announced: made },
      goes_on_until_ms: sql<number>`${now} + ${GOES_ON_FOR_MS}`,
    })
    .where('id', '=', id)
    .execute();
  return 'resumed';
}
