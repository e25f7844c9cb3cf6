// Questions about intents: vouchers that were asked for upstream and are not on record yet.

import { asIntentId, asSiteId, type IntentId } from '../domain/ids.ts';
import type { Intent, NewIntent } from '../domain/vouchers/voucher-store.ts';
import type { Handle } from './database.ts';
import { toOrder, toOrderColumns } from './order-columns.ts';

export async function insertIntent(handle: Handle, intent: NewIntent): Promise<IntentId> {
  const row = await handle
    .insertInto('intents')
    .values({
      site_id: intent.siteId,
      ...toOrderColumns(intent.order),
      source: intent.source,
      created_at_ms: intent.createdAtMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return asIntentId(row.id);
}

export async function deleteIntent(handle: Handle, id: IntentId): Promise<boolean> {
  const result = await handle.deleteFrom('intents').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function selectIntents(handle: Handle): Promise<Intent[]> {
  const rows = await handle
    .selectFrom('intents')
    .innerJoin('sites', 'sites.id', 'intents.site_id')
    .selectAll('intents')
    .select('sites.name as site_name')
    .orderBy('intents.id')
    .execute();
  return rows.map((row) => ({
    id: asIntentId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    order: toOrder(row),
    source: row.source,
    createdAtMs: row.created_at_ms,
  }));
}
