// Removes a site of the built-in simulator with everything that refers to it. Vouchers are deleted in slices, so that
// requests are served in between. The first slice writes the audit entry. An interrupted removal can be repeated.

import { siteDetails } from '../../domain/audit/audit-details.ts';
import type { AuditContext } from '../../domain/audit/audit-log.ts';
import type { SiteId } from '../../domain/ids.ts';
import { DEMO_KIND, type RemovedRecords } from '../../domain/sites/site.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import type { Database, Handle } from '../database.ts';
import { forgetBlocksOf } from '../vouchers/search-index-queries.ts';
import { countVouchersOf, deleteSite, raiseListVersion } from './queries.ts';

/** Vouchers per transaction. */
const SLICE = 500;

export async function removeDemoSite(
  database: Database,
  id: SiteId,
  audit: AuditContext,
): Promise<RemovedRecords | undefined> {
  let removed: RemovedRecords | undefined;
  for (;;) {
    const before = removed;
    const step = await database.write(async (transaction) => {
      const name = await holdInactiveDemo(transaction, id);
      if (name === undefined) return undefined;
      if (!before) {
        const details = { ...siteDetails(id, name), counts: await countRecords(transaction, id) };
        await insertAuditEntry(transaction, { ...audit, action: 'site.removed', details });
      }
      const slice = await deleteVouchers(transaction, id);
      await raiseListVersion(transaction, id);
      const isLast = slice.vouchers < SLICE;
      const rest = isLast ? await deleteRest(transaction, id) : 0;
      const vouchers = (before?.vouchers ?? 0) + slice.vouchers;
      const batches = (before?.batches ?? 0) + slice.batches + rest;
      return { isLast, removed: { vouchers, batches } };
    });
    if (!step) return undefined;
    if (step.isLast) return step.removed;
    removed = step.removed;
    await new Promise(setImmediate);
  }
}

async function countRecords(handle: Handle, id: SiteId): Promise<Record<string, number>> {
  const { batches } = await handle
    .selectFrom('batches')
    .select((eb) => eb.fn.countAll<number>().as('batches'))
    .where('site_id', '=', id)
    .executeTakeFirstOrThrow();
  return { vouchers: await countVouchersOf(handle, id), batches };
}

/** Returns the name of an inactive demo, or undefined. Locks its row, so that no other transaction can activate it. */
async function holdInactiveDemo(handle: Handle, id: SiteId): Promise<string | undefined> {
  // This update changes no value.
  const row = await handle
    .updateTable('sites')
    .set({ active: 0 })
    .where('id', '=', id)
    .where('active', '=', 0)
    .where('controller_kind', '=', DEMO_KIND)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

async function deleteVouchers(handle: Handle, id: SiteId): Promise<RemovedRecords> {
  // Read the ids before the deletion. With outdated statistics, PostgreSQL would repeat a subquery for each row.
  const newest = await handle
    .selectFrom('vouchers')
    .select('id')
    .where('site_id', '=', id)
    .orderBy('created_at_s', 'desc')
    .orderBy('id', 'desc')
    .limit(SLICE)
    .execute();
  if (newest.length === 0) return { vouchers: 0, batches: 0 };
  const ids = newest.map((row) => row.id);
  const rows = await handle
    .deleteFrom('vouchers')
    .where('id', 'in', ids)
    .returning(['id', 'batch_id'])
    .execute();
  await forgetBlocksOf(handle, ids);
  const batchIds = [...new Set(rows.flatMap(({ batch_id }) => batch_id ?? []))];
  if (batchIds.length === 0) return { vouchers: rows.length, batches: 0 };
  const batches = await handle.deleteFrom('batches').where('id', 'in', batchIds).executeTakeFirst();
  return { vouchers: rows.length, batches: Number(batches.numDeletedRows) };
}

/** Deletes the site and all that still refers to it. Returns the number of batches (without vouchers) it deleted. */
async function deleteRest(handle: Handle, id: SiteId): Promise<number> {
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
  for (const table of ['profile_sites', 'user_sites'] as const)
    await handle.deleteFrom(table).where('site_id', '=', id).execute();
  const batches = await handle.deleteFrom('batches').where('site_id', '=', id).executeTakeFirst();
  await deleteSite(handle, id);
  return Number(batches.numDeletedRows);
}
