// Removes a site with everything that refers to it. The vouchers of a demo are deleted in slices, so that requests are
// served in between. The first slice writes the audit entry. An interrupted removal can be repeated.

import type { Database, Handle } from '../../platform/database/database.ts';
import { siteDetails } from '../audit/audit-details.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import type { SiteId } from '../ids.ts';
import { forgetBlocksOf } from '../vouchers/storage/search-index-queries.ts';
import { selectContents } from './contents-queries.ts';
import { DEMO_KIND } from './site.ts';
import { hasGrown, type IsAgreed, isEmpty, type SiteContents, type SiteRemoval } from './site-contents.ts';
import { deleteSite, hasTraces, raiseListVersion } from './site-queries.ts';

/** Vouchers per transaction. */
const SLICE = 500;

/** `isAgreed` gets the contents as they are in the transaction that begins the removal. */
export async function removeSite(
  database: Database,
  id: SiteId,
  isAgreed: IsAgreed,
  audit: AuditContext,
): Promise<SiteRemoval> {
  let agreed: SiteContents | undefined;
  for (;;) {
    const before = agreed;
    const step = await database.write(async (transaction): Promise<SiteRemoval | SliceDeleted> => {
      const name = await closeRemovable(transaction, database, id);
      if (name === undefined) return { kind: 'refused' };
      const contents = await selectContents(transaction, id);
      if (before ? hasGrown(before, contents) : !isAgreed(contents)) return { kind: 'not-agreed', contents };
      if (!before) {
        const details = { ...siteDetails(id, name), ...(!isEmpty(contents) && contents) };
        await insertAuditEntry(transaction, { ...audit, action: 'site.removed', details });
      }
      await raiseListVersion(transaction, id);
      const hasMore = (await deleteVouchers(transaction, id)) === SLICE;
      if (!hasMore) await deleteRest(transaction, id);
      return { kind: hasMore ? 'slice-deleted' : 'removed', contents: before ?? contents };
    });
    if (step.kind !== 'slice-deleted') return step;
    agreed = step.contents;
    await new Promise(setImmediate);
  }
}

interface SliceDeleted {
  kind: 'slice-deleted';
  contents: SiteContents;
}

/**
 * Returns the name of the site. Undefined if the site is active, or if it was used and is not a demo. No other
 * transaction can activate the site or add anything to it until this one ends.
 */
async function closeRemovable(
  handle: Handle,
  { closedRows }: Database,
  id: SiteId,
): Promise<string | undefined> {
  const row = await handle
    .selectFrom('sites')
    .select(['name', 'controller_kind'])
    .where('id', '=', id)
    .where('active', '=', 0)
    .modifyEnd(closedRows())
    .executeTakeFirst();
  if (row?.controller_kind !== DEMO_KIND && (await hasTraces(handle, id))) return undefined;
  return row?.name;
}

/** Deletes the newest vouchers and their batches. Returns the number of vouchers. */
async function deleteVouchers(handle: Handle, id: SiteId): Promise<number> {
  // Read the ids before the deletion. With outdated statistics, PostgreSQL would repeat a subquery for each row.
  const newest = await handle
    .selectFrom('vouchers')
    .select('id')
    .where('site_id', '=', id)
    .orderBy('created_at_s', 'desc')
    .orderBy('id', 'desc')
    .limit(SLICE)
    .execute();
  if (newest.length === 0) return 0;
  const ids = newest.map((row) => row.id);
  const rows = await handle
    .deleteFrom('vouchers')
    .where('id', 'in', ids)
    .returning(['id', 'batch_id'])
    .execute();
  await forgetBlocksOf(handle, ids);
  const batchIds = [...new Set(rows.flatMap(({ batch_id }) => batch_id ?? []))];
  if (batchIds.length > 0) await handle.deleteFrom('batches').where('id', 'in', batchIds).execute();
  return rows.length;
}

/** Deletes the site and all that still refers to it. */
async function deleteRest(handle: Handle, id: SiteId): Promise<void> {
  const intents = handle.selectFrom('intents').select('id').where('site_id', '=', id);
  await handle.deleteFrom('idempotent_answers').where('intent_id', 'in', intents).execute();
  await handle.deleteFrom('intents').where('site_id', '=', id).execute();
  // Delete profiles that have only this site, because a profile without sites would apply to all sites.
  await handle
    .deleteFrom('profiles')
    .where('id', 'in', (eb) => eb.selectFrom('profile_sites').select('profile_id').where('site_id', '=', id))
    .where('id', 'not in', (eb) =>
      eb.selectFrom('profile_sites').select('profile_id').where('site_id', '!=', id),
    )
    .execute();
  for (const table of ['profile_sites', 'user_sites', 'batches'] as const)
    await handle.deleteFrom(table).where('site_id', '=', id).execute();
  await deleteSite(handle, id);
}
