// Queries for intents: vouchers that are requested from a controller and not recorded yet.

import { type RawBuilder, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../../platform/database/compiled-query.ts';
import type { Handle } from '../../../platform/database/database.ts';
import { readActor, toActorText } from '../../audit/actor.ts';
import {
  asBatchId,
  asIntentId,
  asScreenId,
  asSiteId,
  asUserId,
  asVoucherId,
  type IntentId,
  type SiteId,
} from '../../ids.ts';
import type { OrderPurpose } from '../order-purpose.ts';
import type { Intent, NewIntent, OpenIntent } from '../voucher-records.ts';
import {
  limitColumns,
  toLabelColumns,
  toLabels,
  toOrder,
  toOrderColumns,
  toTerms,
  toTermsColumns,
} from './order-columns.ts';
import type { PurposeSteps } from './purpose-steps.ts';

export function toIntentColumns(intent: NewIntent, purposes: readonly PurposeSteps[] = []) {
  return {
    site_id: intent.siteId,
    ...toOrderColumns(intent.order),
    source: toActorText(intent.actor),
    actor_id: intent.actor.id,
    owner_user_id: intent.userId ?? null,
    batch_id: intent.batchId ?? null,
    request_id: intent.requestId ?? null,
    ends_at_s: intent.endsAtS ?? null,
    ...toLabelColumns(intent.labels),
    ...toPurposeColumns(intent.purpose, purposes),
    ...toTermsColumns(intent.terms),
  };
}

function toPurposeColumns(
  purpose: OrderPurpose | undefined,
  purposes: readonly PurposeSteps[],
): { purpose: string | null; purpose_id: number | null } {
  if (!purpose) return { purpose: null, purpose_id: null };
  const { kind } = purpose;
  if (kind === 'discard' || kind === 'rebooking') return { purpose: kind, purpose_id: null };
  if (kind === 'superseded') return { purpose: kind, purpose_id: purpose.successorId };
  if (kind === 'stock') return { purpose: kind, purpose_id: purpose.screenId };
  return {
    purpose: kind,
    purpose_id: purposes.map(({ toId }) => toId(purpose)).find((value) => value !== undefined) ?? null,
  };
}

/** Without the field, if the intent has no purpose, or one of a newer release. */
function toPurpose(
  row: { purpose: string | null; purpose_id: number | null },
  purposes: readonly PurposeSteps[] = [],
): { purpose?: OrderPurpose } {
  const { purpose: kind, purpose_id: id } = row;
  if (kind === 'stock') return { purpose: { kind, screenId: id === null ? null : asScreenId(id) } };
  if (kind === 'discard' || kind === 'rebooking') return { purpose: { kind } };
  if (kind === null || id === null) return {};
  if (kind === 'superseded') return { purpose: { kind, successorId: asVoucherId(id) } };
  const purpose = purposes.map(({ read }) => read(kind, id)).find((value) => value !== undefined);
  return purpose ? { purpose } : {};
}

/** `now` is the time by the clock of the database. */
export function makeInsertIntent(now: RawBuilder<number>, purposes: readonly PurposeSteps[] = []) {
  const insert = compileOnce((handle: Handle, columns: Placeholders<ReturnType<typeof toIntentColumns>>) =>
    handle
      .insertInto('intents')
      .values({ ...columns, created_at_ms: now })
      .returning(['id', 'created_at_ms']),
  );
  return async function insertIntent(handle: Handle, intent: NewIntent): Promise<Intent> {
    const [row] = (await insert(handle, toIntentColumns(intent, purposes))).rows;
    if (!row) throw new Error('the intent was not stored');
    return { ...intent, id: asIntentId(row.id), createdAtMs: row.created_at_ms };
  };
}

/**
 * Locks the intents before their vouchers, as recordAtOnce does, because another order could deadlock. Only for
 * PostgreSQL: SQLite runs one transaction after another.
 */
export async function holdIntents(handle: Handle, intents: Intent[]): Promise<void> {
  const ids = sql.join(intents.map(({ id }) => sql`${id}`));
  // Names the table of vouchers first, because a migration locks that table first, and another order could deadlock.
  // Writes to list_changes, although no row, so that it waits for `holdClaims`.
  await sql`
    with nothing as (select id from vouchers where false),
    gate as (insert into list_changes (site_id) select id from sites where false)
    select id from intents where id in (${ids}) order by id for update
  `.execute(handle);
}

/**
 * Waits until no other transaction is claiming vouchers for orders, and keeps others from beginning until the commit. A
 * claim for the stock needs this, because each of the two tables refuses only its own duplicates. Only for PostgreSQL.
 * Every claim for an order writes to list_changes (see `holdIntents` and recordAtOnce). PostgreSQL locks a table before
 * a statement takes its snapshot, so a claim that had to wait sees what this transaction has put into the stock. The
 * lock is one that reads, backups and other claims for the stock do not wait for.
 */
export async function holdClaims(handle: Handle): Promise<void> {
  await sql`lock table vouchers in access share mode`.execute(handle);
  await sql`lock table list_changes in share mode`.execute(handle);
}

const deleteById = compileOnce((handle: Handle, { id }: Placeholders<{ id: IntentId }>) =>
  handle.deleteFrom('intents').where('id', '=', id).returning(['purpose', 'purpose_id']),
);

/**
 * Undefined if the intent is gone. Otherwise its purpose, if the kernel has it: another request may have superseded the
 * intent since it was read. Purposes of features do not change.
 */
export async function deleteIntent(
  handle: Handle,
  id: IntentId,
): Promise<{ purpose?: OrderPurpose } | undefined> {
  const [row] = (await deleteById(handle, { id })).rows;
  return row && toPurpose(row);
}

const deleteUnchanged = compileOnce(
  (handle: Handle, { id, createdAtMs }: Placeholders<Pick<Intent, 'id' | 'createdAtMs'>>) =>
    handle.deleteFrom('intents').where('id', '=', id).where('created_at_ms', '=', createdAtMs),
);

/** Keeps the intent if its creation time was reset since it was read (see `resetAgeOfEqualIntents`). */
export async function deleteUnchangedIntent(handle: Handle, { id, createdAtMs }: Intent): Promise<boolean> {
  return ((await deleteUnchanged(handle, { id, createdAtMs })).numAffectedRows ?? 0n) > 0n;
}

/** Undefined if there is no such intent any more. */
export async function selectIntentAge(
  handle: Handle,
  id: IntentId | null,
  now: RawBuilder<number>,
): Promise<number | undefined> {
  const row = await handle
    .selectFrom('intents')
    .select(sql<number>`${now} - created_at_ms`.as('ageMs'))
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.ageMs;
}

/** Nobody waits for the vouchers of these intents any more: their messages are deleted. */
export async function discardIntents(handle: Handle, ids: readonly IntentId[]): Promise<void> {
  if (ids.length === 0) return;
  await handle.deleteFrom('messages').where('intent_id', 'in', ids).execute();
  await handle
    .updateTable('intents')
    .set({ purpose: 'discard', purpose_id: null })
    .where('id', 'in', ids)
    .execute();
}

/** Gives older equal intents the creation time of this intent. `recover` in voucher-store.ts says why. */
export async function resetAgeOfEqualIntents(handle: Handle, intent: Intent): Promise<void> {
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

export async function selectIntents(
  handle: Handle,
  now: RawBuilder<number>,
  { siteId, purposes = [] }: { siteId?: SiteId | undefined; purposes?: readonly PurposeSteps[] } = {},
): Promise<OpenIntent[]> {
  const ofAll = handle
    .selectFrom('intents')
    .innerJoin('sites', 'sites.id', 'intents.site_id')
    .selectAll('intents')
    .select(['sites.name as site_name', now.as('now_ms')])
    .select((eb) =>
      eb
        .selectFrom('messages')
        .select(eb.lit(1).as('one'))
        .whereRef('messages.intent_id', '=', 'intents.id')
        .limit(1)
        .as('holds_messages'),
    )
    .orderBy('intents.id');
  const rows = await (siteId === undefined ? ofAll : ofAll.where('site_id', '=', siteId)).execute();
  return rows.map((row) => ({
    id: asIntentId(row.id),
    siteId: asSiteId(row.site_id),
    siteName: row.site_name,
    order: toOrder(row),
    actor: readActor(row.source, row.actor_id),
    ...(row.owner_user_id !== null && { userId: asUserId(row.owner_user_id) }),
    ...(row.batch_id !== null && { batchId: asBatchId(row.batch_id) }),
    ...(row.request_id !== null && { requestId: row.request_id }),
    ...(row.ends_at_s !== null && { endsAtS: row.ends_at_s }),
    ...toLabels(row),
    ...toPurpose(row, purposes),
    ...toTerms(row),
    ...(row.holds_messages !== null && { holdsMessages: true as const }),
    createdAtMs: row.created_at_ms,
    ageMs: row.now_ms - row.created_at_ms,
  }));
}

export async function selectNowMs(handle: Handle, now: RawBuilder<number>): Promise<number> {
  return (await handle.selectNoFrom(now.as('now_ms')).executeTakeFirstOrThrow()).now_ms;
}
