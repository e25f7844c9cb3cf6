// Queries for vouchers that replace others: of the orders of an API key for one reference at one site, only the voucher of
// the newest one lives on.

import { sql } from 'kysely';
import { PREFIXES } from '../../domain/audit/actor.ts';
import { asIntentId, type IntentId, type VoucherId } from '../../domain/ids.ts';
import type { Intent } from '../../domain/vouchers/voucher-store.ts';
import type { Database, Handle } from '../database.ts';
import { toResponse } from './created-records.ts';
import { isIn } from './search-filter-queries.ts';

/** Keeps other transactions from recording vouchers of the same reference until the commit. Only for PostgreSQL. */
export async function holdReference(handle: Handle, { siteId, actor, labels }: Intent): Promise<void> {
  const place = JSON.stringify([siteId, actor.id, labels?.reference]);
  await sql`select pg_advisory_xact_lock(hashtextextended(${place}, 0))`.execute(handle);
}

/** Intents are few, and those of one reference fewer. */
function ofSameReference({ siteId, actor, labels }: Intent) {
  return sql<boolean>`site_id = ${siteId} and actor_id = ${actor.id} and reference = ${labels?.reference}
    and source like ${`${PREFIXES.key}: %`}`;
}

/**
 * Marks the other living vouchers of the reference as replaced by this one; `replaced-vouchers.ts` revokes them. If the
 * voucher of a newer order was recorded first, marks this voucher instead.
 */
export async function replaceOthers(
  handle: Handle,
  intent: Intent,
  { voucherId, now }: { voucherId: VoucherId } & Pick<Database, 'now'>,
): Promise<void> {
  const successorId = await selectSuccessor(handle, intent.id);
  if (successorId !== null) {
    await handle
      .updateTable('vouchers')
      .set({ successor_id: successorId })
      .where('id', '=', voucherId)
      .execute();
    return;
  }
  await handle
    .updateTable('vouchers')
    .set({ successor_id: voucherId })
    .where(ofSameReference(intent))
    .where('id', '<>', voucherId)
    .where('revoked_at_s', 'is', null)
    .where(isIn('open', sql`${now()} / 1000`))
    .execute();
  await supersedeOlder(handle, intent, voucherId);
}

/** The newer voucher of the intent's reference. Another request may have recorded it since this intent was read. */
async function selectSuccessor(handle: Handle, id: IntentId): Promise<number | null> {
  const row = await handle
    .selectFrom('intents')
    .select('purpose_id')
    .where('id', '=', id)
    .where('purpose', '=', 'superseded')
    .executeTakeFirst();
  return row?.purpose_id ?? null;
}

/** No voucher has this id, so a response that names it is the response of a voucher that has ended. */
const NO_VOUCHER = 0;

/**
 * Older orders whose outcome is open may still get a voucher. Nobody is told of it any more, and their Idempotency-Keys
 * have ended.
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
