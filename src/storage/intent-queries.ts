// Questions about intents: vouchers that were asked for upstream and are not on record yet.

import { asIntentId, asSiteId, type IntentId, type SiteId } from '../domain/ids.ts';
import type { Intent, NewIntent } from '../domain/vouchers/voucher-store.ts';
import type { Handle } from './database.ts';
import { limitColumns, toOrder, toOrderColumns } from './order-columns.ts';

export async function insertIntent(
  handle: Handle,
  intent: NewIntent & { createdAtMs: number },
): Promise<IntentId> {
  const row = await handle
    .insertInto('intents')
    .values(toColumns(intent))
    .returning('id')
    .executeTakeFirstOrThrow();
  return asIntentId(row.id);
}

export async function deleteIntent(handle: Handle, id: IntentId): Promise<boolean> {
  const result = await handle.deleteFrom('intents').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Not when its time was put off in the meantime. */
export async function deleteIntentOfThatTime(handle: Handle, intent: Intent): Promise<boolean> {
  const result = await handle
    .deleteFrom('intents')
    .where('id', '=', intent.id)
    .where('created_at_ms', '=', intent.createdAtMs)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Intents with an equal order count as no older than this one. */
export async function makeEqualIntentsWait(handle: Handle, intent: Intent): Promise<void> {
  let equal = handle
    .updateTable('intents')
    .set({ created_at_ms: intent.createdAtMs })
    .where('site_id', '=', intent.siteId)
    .where('created_at_ms', '<', intent.createdAtMs);
  const { name, ...limits } = toOrderColumns(intent.order);
  equal = equal.where('name', '=', name);
  for (const limit of limitColumns) equal = equal.where(limit, '=', limits[limit]);
  await equal.execute();
}

export async function selectIntents(handle: Handle, siteId?: SiteId): Promise<Intent[]> {
  const ofAll = handle
    .selectFrom('intents')
    .innerJoin('sites', 'sites.id', 'intents.site_id')
    .selectAll('intents')
    .select('sites.name as site_name')
    .orderBy('intents.id');
  const rows = await (siteId === undefined ? ofAll : ofAll.where('site_id', '=', siteId)).execute();
  return rows.map((row) => ({
    id: asIntentId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    order: toOrder(row),
    source: row.source,
    createdAtMs: row.created_at_ms,
  }));
}

function toColumns({ siteId, order, source, createdAtMs }: NewIntent & { createdAtMs: number }) {
  return { site_id: siteId, ...toOrderColumns(order), source, created_at_ms: createdAtMs };
}
