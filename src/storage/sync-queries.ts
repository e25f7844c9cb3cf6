// Questions about how the syncs of sites went.

import { asSiteId, type SiteId } from '../domain/ids.ts';
import type { SiteSync } from '../domain/sites/site-sync.ts';
import type { Handle } from './database.ts';

export async function upsertSync(
  handle: Handle,
  siteId: SiteId,
  outcome: { synced_at_ms: number } | { failed_at_ms: number; error: string },
): Promise<void> {
  await handle
    .insertInto('site_syncs')
    .values({ site_id: siteId, ...outcome })
    .onConflict((conflict) => conflict.column('site_id').doUpdateSet(outcome))
    .execute();
}

export async function selectSyncs(handle: Handle): Promise<Map<SiteId, SiteSync>> {
  const rows = await handle.selectFrom('site_syncs').selectAll().execute();
  return new Map(
    rows.map((row) => [
      asSiteId(row.site_id),
      { syncedAtMs: row.synced_at_ms, failedAtMs: row.failed_at_ms, error: row.error },
    ]),
  );
}
