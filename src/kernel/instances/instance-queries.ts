// Queries for the running instances. All times come from the clock that every instance shares.

import { type RawBuilder, sql } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import { INSTANCE_NOTED_EVERY_MS, type Instance } from './instance.ts';

/** How long an instance counts as running after its last update. Updates fail while the database is unavailable. */
const LIVING_MS = 4 * INSTANCE_NOTED_EVERY_MS;
const FORGOTTEN_AFTER_MS = 60 * 60_000;

export async function upsertInstance(
  handle: Handle,
  { id, name, release, schemaVersion }: Instance,
  now: RawBuilder<number>,
): Promise<void> {
  await handle
    .insertInto('instances')
    .values({ id, name, release, schema_version: schemaVersion, started_at_ms: now, seen_at_ms: now })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, seen_at_ms: now }))
    .execute();
}

/** Deletes old rows, and rows far in the future (the clock was set back). Running instances soon write theirs again. */
export async function deleteDeadInstances(handle: Handle, now: RawBuilder<number>): Promise<void> {
  await handle.deleteFrom('instances').where(distance(now), '>', FORGOTTEN_AFTER_MS).execute();
}

export async function deleteInstance(handle: Handle, id: string): Promise<void> {
  await handle.deleteFrom('instances').where('id', '=', id).execute();
}

export async function deleteInstances(handle: Handle): Promise<void> {
  await handle.deleteFrom('instances').execute();
}

export async function selectLiving(handle: Handle, now: RawBuilder<number>): Promise<Instance[]> {
  return handle
    .selectFrom('instances')
    .select(['id', 'name', 'release', 'schema_version as schemaVersion'])
    .where(distance(now), '<=', LIVING_MS)
    .execute();
}

/** When the oldest running instance began, as a subquery. Leaves out those that died: their last notes are older. */
export function selectRunningSince(handle: Handle) {
  const newest = sql`(select max(seen_at_ms) from instances)`;
  return handle
    .selectFrom('instances')
    .select((eb) => eb.fn.min<number | null>('started_at_ms').as('running_since_ms'))
    .where('seen_at_ms', '>=', sql<number>`${newest} - ${sql.lit(LIVING_MS)}`);
}

function distance(now: RawBuilder<number>): RawBuilder<number> {
  return sql<number>`abs(seen_at_ms - ${now})`;
}
