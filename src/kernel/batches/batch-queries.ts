// Queries for batches: vouchers that were created together.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { type Actor, userActor } from '../audit/actor.ts';
import { publishedCause, readCause } from '../controllers/controller.ts';
import {
  asBatchId,
  asKeyId,
  asPrinterId,
  asReplacementId,
  asSiteId,
  asUserId,
  asVoucherId,
  type BatchId,
  type UserId,
} from '../ids.ts';
import { selectSiteName } from '../sites/site-queries.ts';
import { toLabelColumns, toLabels, toOrder, toOrderColumns } from '../vouchers/storage/order-columns.ts';
import { voucherColumns } from '../vouchers/storage/voucher-queries.ts';
import {
  type Batch,
  type BatchSearch,
  type BatchSummary,
  type FailedBatch,
  type FailedSearch,
  GOES_ON_FOR_MS,
  type NewBatch,
  type OpenBatch,
  type Why,
} from './batch.ts';
import { openMail } from './sealed-mail-columns.ts';

export async function insertBatch(
  handle: Handle,
  batch: NewBatch,
  { now, sealedMail = null }: { now: RawBuilder<number>; sealedMail?: string | null },
): Promise<boolean> {
  const row = await handle
    .insertInto('batches')
    .values({
      id: batch.id,
      user_id: batch.userId ?? null,
      api_key_id: batch.apiKeyId ?? null,
      site_id: batch.order.siteId,
      ...toOrderColumns(batch.order),
      wanted: batch.wanted,
      created_at_ms: batch.createdAtMs,
      replacement_id: batch.replacementId ?? null,
      ends_at_s: batch.order.endsAtS ?? null,
      sealed_mail: sealedMail,
      printer_id: batch.order.print?.printerId ?? null,
      goes_on_until_ms: batch.isFromReserve ? null : sql<number>`${now} + ${GOES_ON_FOR_MS}`,
      ...toLabelColumns(batch.order.labels),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

interface EndedBatch {
  siteId: number;
  siteName: string;
  /** How many vouchers were not announced yet. */
  made: number;
  name: string | null;
}

/** Returns undefined if the batch had already ended. */
export async function markBatchEnded(
  handle: Handle,
  id: BatchId,
  { problem, cause, atMs }: Why & { atMs: number },
): Promise<EndedBatch | undefined> {
  const row = await handle
    .updateTable('batches')
    .set({
      ended_at_ms: atMs,
      problem,
      cause: cause && publishedCause(cause),
      // Another attempt needs the address. A complete batch has none.
      ...(problem === null && { sealed_mail: null }),
    })
    .where('id', '=', id)
    .where('ended_at_ms', 'is', null)
    .returning(['site_id', 'announced'])
    .executeTakeFirst();
  if (!row) return undefined;
  const { made, name } = await handle
    .selectFrom('vouchers')
    .select((eb) => [eb.fn.countAll<number>().as('made'), eb.fn.min('name').as('name')])
    .where('batch_id', '=', id)
    .executeTakeFirstOrThrow();
  const { site_id: siteId, announced } = row;
  const siteName = await selectSiteName(handle, siteId);
  return { siteId, siteName, made: made - (announced ?? 0), name };
}

/**
 * Returns false if the batch has ended. Locks the batch, so that it cannot end, or be resumed, before this transaction
 * does. So the count at the end of the batch includes the vouchers that this transaction records.
 */
export async function holdOpenBatch(handle: Handle, id: BatchId): Promise<boolean> {
  // Also locks an ended batch: a transaction that resumes it just now comes first.
  const row = await handle
    .updateTable('batches')
    .set((eb) => ({ wanted: eb.ref('wanted') }))
    .where('id', '=', id)
    .returning('ended_at_ms')
    .executeTakeFirst();
  return row?.ended_at_ms === null;
}

export async function selectOpenBatches(handle: Handle): Promise<OpenBatch[]> {
  const rows = await withCreators(handle)
    .select(['batches.id', 'batches.replacement_id', 'batches.goes_on_until_ms'])
    .where('ended_at_ms', 'is', null)
    .execute();
  return rows.map((row) => ({
    id: asBatchId(row.id),
    ...replacementOf(row.replacement_id),
    createdBy: toCreator(row),
    goesOn: row.goes_on_until_ms !== null,
  }));
}

/** Why an open batch waits, and who ordered it. Locks the batch, so that no voucher is ordered for it meanwhile. */
export async function selectOpenBatch(
  handle: Handle,
  id: BatchId,
): Promise<(Why & { actor: Actor }) | undefined> {
  if (!(await holdOpenBatch(handle, id))) return undefined;
  const row = await withCreators(handle)
    .select(['problem', 'cause'])
    .where('batches.id', '=', id)
    .executeTakeFirst();
  return row && { problem: row.problem, cause: readCause(row.cause), actor: toCreator(row) };
}

export async function selectFailedBatches(
  handle: Handle,
  { userId, siteIds, sinceMs }: FailedSearch,
): Promise<FailedBatch[]> {
  if (siteIds.length === 0) return [];
  const rows = await handle
    .selectFrom('batches')
    .innerJoin('sites', 'sites.id', 'batches.site_id')
    .select(['batches.id', 'batches.name', 'batches.created_at_ms', 'sites.name as site_name'])
    .where('user_id', '=', userId)
    .where('batches.created_at_ms', '>', sinceMs)
    .where('problem', 'is not', null)
    .where('ended_at_ms', 'is not', null)
    .where('settled_at_ms', 'is', null)
    .where('replacement_id', 'is', null)
    .where('batches.site_id', 'in', siteIds)
    // An open order may have been completed after the batch had ended.
    .where('wanted', '>', (eb) =>
      eb
        .selectFrom('vouchers')
        .select((of) => of.fn.countAll<number>().as('made'))
        .whereRef('vouchers.batch_id', '=', 'batches.id'),
    )
    .orderBy('batches.created_at_ms', 'desc')
    .orderBy('batches.id', 'desc')
    .execute();
  return rows.map((row) => ({
    id: asBatchId(row.id),
    name: row.name,
    siteName: row.site_name,
    createdAtMs: row.created_at_ms,
  }));
}

export async function settleFailedBatches(handle: Handle, userId: UserId, atMs: number): Promise<void> {
  await handle
    .updateTable('batches')
    .set({ settled_at_ms: atMs })
    .where('user_id', '=', userId)
    .where('problem', 'is not', null)
    .where('ended_at_ms', 'is not', null)
    .where('settled_at_ms', 'is', null)
    .execute();
}

/** Batches with the names of the users and API keys that ordered them. */
function withCreators(handle: Handle) {
  return handle
    .selectFrom('batches')
    .leftJoin('users', 'users.id', 'batches.user_id')
    .leftJoin('api_keys', 'api_keys.id', 'batches.api_key_id')
    .select([
      'batches.user_id',
      'batches.api_key_id',
      'users.name as user_name',
      'api_keys.name as key_name',
    ]);
}

interface Creator {
  user_id: number | null;
  user_name: string | null;
  api_key_id: string | null;
  key_name: string | null;
}

function toCreator({ user_id, user_name, api_key_id, key_name }: Creator): Actor {
  return user_id === null
    ? { kind: 'key', id: api_key_id, name: key_name ?? '' }
    : userActor({ id: user_id, name: user_name ?? '' });
}

/** The literal in `wanted > 1` lets SQLite use the partial index. */
export async function selectBatches(
  handle: Handle,
  { siteIds, after, limit }: BatchSearch,
): Promise<BatchSummary[]> {
  if (siteIds.length === 0) return [];
  let query = withCreators(handle)
    .innerJoin('sites', 'sites.id', 'batches.site_id')
    .select(['batches.id', 'batches.name', 'batches.created_at_ms', 'batches.ended_at_ms'])
    .select('sites.name as site_name')
    .where('wanted', '>', sql.lit(1))
    .where(sql<boolean>`(batches.site_id + 0) in (${sql.join(siteIds)})`)
    .orderBy('batches.created_at_ms', 'desc')
    .orderBy('batches.id', 'desc')
    .limit(limit);
  if (after)
    query = query.where((eb) =>
      eb.and([
        eb('batches.created_at_ms', '<=', after.createdAtMs),
        eb.or([eb('batches.created_at_ms', '<', after.createdAtMs), eb('batches.id', '<', after.id)]),
      ]),
    );
  const rows = await query.execute();
  const uses = await countUses(
    handle,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    id: asBatchId(row.id),
    name: row.name,
    siteName: row.site_name,
    createdBy: toCreator(row),
    createdAtMs: row.created_at_ms,
    endedAtMs: row.ended_at_ms,
    vouchers: uses.get(row.id)?.vouchers ?? 0,
    used: uses.get(row.id)?.used ?? 0,
  }));
}

/** Counts the vouchers and the used vouchers of each batch. Used vouchers are those for which `wasUsed` is true. */
async function countUses(handle: Handle, ids: string[]) {
  if (ids.length === 0) return new Map<string, { vouchers: number; used: number }>();
  const isUsed = sql`used_count > 0 or first_used_at_s is not null`;
  const rows = await handle
    .selectFrom('vouchers')
    .select((eb) => [
      sql<string>`batch_id`.as('id'),
      eb.fn.countAll<number>().as('vouchers'),
      sql<number>`cast(sum(case when ${isUsed} then 1 else 0 end) as bigint)`.as('used'),
    ])
    .where('batch_id', 'in', ids)
    .groupBy('batch_id')
    .execute();
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}

export async function selectBatch(handle: Handle, seal: Seal, id: BatchId): Promise<Batch | undefined> {
  const row = await withCreators(handle)
    .innerJoin('sites', 'sites.id', 'batches.site_id')
    .leftJoin('printers', 'printers.id', 'batches.printer_id')
    .selectAll('batches')
    .select(['sites.name as site_name', 'sites.time_zone', 'printers.id as known_printer_id'])
    .where('batches.id', '=', id)
    .executeTakeFirst();
  if (!row) return undefined;
  const vouchers = await handle
    .selectFrom('vouchers')
    .select(['id', ...voucherColumns])
    .select(['down_kbps as downKbps', 'up_kbps as upKbps', 'quota_mb as quotaMb'])
    .select('console_name as consoleName')
    .where('batch_id', '=', id)
    .orderBy('id')
    .execute();
  const mail = openMail(seal, id, row.sealed_mail);
  return {
    id,
    ...(row.user_id !== null && { userId: asUserId(row.user_id) }),
    ...(row.api_key_id !== null && { apiKeyId: asKeyId(row.api_key_id) }),
    order: {
      ...toOrder(row),
      siteId: asSiteId(row.site_id),
      ...(row.ends_at_s !== null && { endsAtS: row.ends_at_s }),
      ...toLabels(row),
      ...(mail && { mail }),
      // Without a printer that was removed since, so that another attempt creates the missing vouchers.
      ...(row.known_printer_id !== null && { print: { printerId: asPrinterId(row.known_printer_id) } }),
    },
    ...(row.sealed_mail !== null && !mail && { isMailUnreadable: true }),
    wanted: row.wanted,
    createdAtMs: row.created_at_ms,
    ...replacementOf(row.replacement_id),
    siteName: row.site_name,
    siteTimeZone: row.time_zone,
    createdBy: toCreator(row),
    vouchers: vouchers.map((voucher) => ({ ...voucher, id: asVoucherId(voucher.id) })),
    endedAtMs: row.ended_at_ms,
    isUncertain: row.ended_at_ms !== null && (await hasIntent(handle, id)),
    problem: row.problem,
    cause: readCause(row.cause),
    goesOnUntilMs: row.goes_on_until_ms,
    replacedBy: row.replaced_by === null ? null : asBatchId(row.replaced_by),
  };
}

/** Intents are few, so no index is needed. */
async function hasIntent(handle: Handle, id: BatchId): Promise<boolean> {
  const row = await handle
    .selectFrom('intents')
    .select('id')
    .where('batch_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

function replacementOf(id: string | null): Pick<NewBatch, 'replacementId'> {
  return id === null ? {} : { replacementId: asReplacementId(id) };
}
