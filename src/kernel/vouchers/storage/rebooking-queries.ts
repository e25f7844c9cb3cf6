// Queries for vouchers that replace others. Of the vouchers that an API key has ordered for one reference at one site,
// only that of the newest order stays valid.

import { sql } from 'kysely';
import type { Database, Handle } from '../../../platform/database/database.ts';
import { PREFIXES } from '../../audit/actor.ts';
import { asIntentId, type VoucherId } from '../../ids.ts';
import type { Intent } from '../voucher-records.ts';
import { toResponse } from './created-records.ts';
import { isIn } from './search-filter-queries.ts';

/** Keeps other transactions from recording vouchers of the same reference until the commit. Only for PostgreSQL. */
export async function holdReference(handle: Handle, { siteId, actor, labels }: Intent): Promise<void> {
  const place = JSON.stringify([siteId, actor.id, labels?.reference]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(handle);
}

/** There are few intents, so they need no index on the reference. */
function ofSameReference({ siteId, actor, labels }: Intent) {
  return sql<boolean>`site_id = ${siteId} and actor_id = ${actor.id} and reference = ${labels?.reference}
    and source like ${`${PREFIXES.key}: %`}`;
}

/** Marks the other living vouchers of the reference as replaced by this one; `replaced-vouchers.ts` revokes them. */
export async function replaceOthers(
  handle: Handle,
  intent: Intent,
  { voucherId, now }: { voucherId: VoucherId } & Pick<Database, 'now'>,
): Promise<void> {
  // This waits for orders that are recording their vouchers now, so that these vouchers are found below.
  await supersedeOlder(handle, intent, voucherId);
  await handle
    .updateTable('vouchers')
    .set({ successor_id: voucherId })
    .where(ofSameReference(intent))
    .where('id', '<>', voucherId)
    .where('revoked_at_s', 'is', null)
    .where(isIn('open', sql`${now()} / 1000`))
    .execute();
}

/** The voucher of a newer order was recorded first, so it replaces this one. */
export async function markReplaced(
  handle: Handle,
  id: VoucherId,
  { successorId }: { successorId: VoucherId },
): Promise<void> {
  await handle.updateTable('vouchers').set({ successor_id: successorId }).where('id', '=', id).execute();
}

/** No voucher has this id, so a response that names it counts as the response of a voucher that has ended. */
export const NO_VOUCHER = 0;

/**
 * Marks the older orders whose outcome is open. They may still get a voucher, but no response names it, no message is
 * sent, and their Idempotency-Keys have ended.
 */
async function supersedeOlder(handle: Handle, intent: Intent, voucherId: VoucherId): Promise<void> {
  const older = await handle
    .updateTable('intents')
    .set({ purpose: 'superseded', purpose_id: voucherId })
    .where(ofSameReference(intent))
    .where('id', '<', intent.id)
    .returning('id')
    .execute();
  if (older.length === 0) return;
  const ids = older.map(({ id }) => asIntentId(id));
  await handle.deleteFrom('messages').where('intent_id', 'in', ids).execute();
  await handle
    .updateTable('idempotent_answers')
    .set({ intent_id: null, answer: JSON.stringify(toResponse(intent, '')), voucher_id: NO_VOUCHER })
    .where('intent_id', 'in', ids)
    .execute();
}
