// Queries for the results of site syncs.

import type { RawBuilder } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { type FailureCause, publishedCause, readCause } from '../controllers/controller.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import { selectRunningSince } from '../instances/instance-queries.ts';
import type { SiteSync } from './site-sync.ts';

const MINUTE_MS = 60_000;

export async function upsertSync(
  handle: Handle,
  siteId: SiteId,
  outcome: { synced_at_ms: RawBuilder<number>; began_at_ms?: number },
): Promise<void> {
  await handle
    .insertInto('site_syncs')
    .values({ site_id: siteId, ...outcome })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(outcome))
    .execute();
}

export async function upsertSyncFailure(
  handle: Handle,
  siteId: SiteId,
  { now, error, cause }: { now: RawBuilder<number>; error: string; cause: FailureCause | null },
): Promise<void> {
  const told = { error, cause: cause && publishedCause(cause) };
  await handle
    .insertInto('site_syncs')
    .values({ site_id: siteId, ...told, failed_at_ms: now, failing_since_ms: now })
    .onConflict((conflict) =>
      conflict.column('site_id').doUpdateSet((eb) => {
        // PostgreSQL evaluates each `now` anew. With different times, a success could be later than this failure.
        const at = eb.ref('excluded.failed_at_ms');
        return {
          ...told,
          failed_at_ms: at,
          // A success with a time in the future was recorded by a clock that was ahead. Correct its time, because it
          // would hide this failure until then.
          synced_at_ms: eb
            .case()
            .when('site_syncs.synced_at_ms', '>', eb(at, '+', MINUTE_MS))
            .then(at)
            .else(eb.ref('site_syncs.synced_at_ms'))
            .end(),
          // Keep the time of the first consecutive failure, unless a sync has succeeded since then, or the clock was
          // set back: the outage would be reported too late.
          failing_since_ms: eb
            .case()
            .when(
              eb.and([
                eb('site_syncs.failing_since_ms', '>=', eb.fn.coalesce('site_syncs.synced_at_ms', eb.lit(0))),
                eb('site_syncs.failing_since_ms', '<=', at),
              ]),
            )
            .then(eb.ref('site_syncs.failing_since_ms'))
            .else(at)
            .end(),
        };
      }),
    )
    .execute();
}

export async function clearSyncFailure(handle: Handle, siteId: SiteId): Promise<void> {
  await handle
    .updateTable('site_syncs')
    .set({ failed_at_ms: null, error: null, cause: null, failing_since_ms: null })
    .where('site_id', '=', siteId)
    .execute();
}

export async function selectTimeSinceSync(
  handle: Handle,
  siteId: SiteId,
  now: RawBuilder<number>,
): Promise<number | undefined> {
  const row = await handle
    .selectFrom('site_syncs')
    .select(['synced_at_ms', 'failed_at_ms', now.as('now_ms')])
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  if (!row) return undefined;
  const sinceMs = row.now_ms - Math.max(row.synced_at_ms ?? 0, row.failed_at_ms ?? 0);
  // A sync with a time in the future was recorded by a clock that was ahead. It is ignored, because otherwise the next
  // sync would wait until that time.
  return sinceMs < -MINUTE_MS ? undefined : sinceMs;
}

const all = compileOnce((handle: Handle) =>
  handle.selectFrom('site_syncs').selectAll().select(selectRunningSince(handle).as('running_since_ms')),
);

const NO_FAILURE = { failedAtMs: null, error: null, cause: null, failingSinceMs: null };

export async function selectSyncs(handle: Handle, staleMs: number): Promise<Map<SiteId, SiteSync>> {
  const { rows } = await all(handle);
  return new Map(
    rows.map((row): [SiteId, SiteSync] => {
      const runningSinceMs = row.running_since_ms ?? undefined;
      const isOld = row.failed_at_ms !== null && row.failed_at_ms + staleMs < (runningSinceMs ?? 0);
      const failure = {
        failedAtMs: row.failed_at_ms,
        error: row.error,
        cause: readCause(row.cause),
        failingSinceMs: row.failing_since_ms,
      };
      return [
        asSiteId(row.site_id),
        {
          syncedAtMs: row.synced_at_ms,
          ...(isOld ? NO_FAILURE : failure),
          ...(runningSinceMs !== undefined && { runningSinceMs }),
        },
      ];
    }),
  );
}

const neverTried = compileOnce((handle: Handle, { beforeMs }: Placeholders<{ beforeMs: number }>) =>
  handle
    .selectFrom('sites')
    .select('id')
    .where('active', '=', 1)
    .where('created_at_ms', '<', beforeMs)
    .where((eb) => eb(eb.fn.coalesce(selectRunningSince(handle), eb.lit(0)), '<', beforeMs))
    .where('id', 'not in', (eb) => eb.selectFrom('site_syncs').select('site_id'))
    .orderBy('id'),
);

export async function selectNeverTried(handle: Handle, createdBeforeMs: number): Promise<SiteId[]> {
  const { rows } = await neverTried(handle, { beforeMs: createdBeforeMs });
  return rows.map(({ id }) => asSiteId(id));
}
