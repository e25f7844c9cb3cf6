// Queries for sites, and for the list version, which rises with every change of a site's vouchers.

import { type Selectable, sql } from 'kysely';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { noteListChange } from '../../platform/database/list-changes.ts';
import type { Tables } from '../../platform/database/schema.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import type { Voucher } from '../vouchers/voucher.ts';
import { toConnectionColumns, toController } from './connection-columns.ts';
import type { NewSite, Site, SiteChange } from './site.ts';

/** Without the list version: it is written often, and cached sites must not depend on it. */
const siteColumns = [
  'id',
  'name',
  'active',
  'controller_kind',
  'controller_site',
  'controller_url',
  'sealed_credentials',
  'tls_trust',
  'imports_foreign',
  'check_out',
  'time_zone',
  'guest_page',
  'reply_to',
] as const;

const byId = compileOnce((handle: Handle, { id }: Placeholders<{ id: SiteId }>) =>
  handle.selectFrom('sites').select(siteColumns).where('id', '=', id),
);

export async function selectSite(handle: Handle, seal: Seal, id: SiteId): Promise<Site | undefined> {
  const [row] = (await byId(handle, { id })).rows;
  return row && toSite(row, seal);
}

const all = compileOnce((handle: Handle) => handle.selectFrom('sites').select(siteColumns));

export async function selectSites(handle: Handle, seal: Seal): Promise<Site[]> {
  const { rows } = await all(handle);
  // Sorted here, because the engines sort letters such as ä differently.
  return rows
    .map((row) => toSite(row, seal))
    .sort((one, other) => compareNames(one.name, other.name) || one.id - other.id);
}

export async function insertSite(
  handle: Handle,
  seal: Seal,
  site: NewSite & { createdAtMs: number },
): Promise<SiteId> {
  const row = await handle
    .insertInto('sites')
    .values({
      name: site.name,
      active: site.active ? 1 : 0,
      controller_kind: site.controllerKind,
      controller_site: site.controllerSite,
      ...(site.importsForeign !== undefined && { imports_foreign: site.importsForeign ? 1 : 0 }),
      ...(site.checkOut !== undefined && { check_out: site.checkOut }),
      ...(site.timeZone !== undefined && { time_zone: site.timeZone }),
      ...(site.hasGuestPage !== undefined && { guest_page: site.hasGuestPage ? 1 : 0 }),
      ...(site.replyTo !== undefined && { reply_to: site.replyTo }),
      created_at_ms: site.createdAtMs,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = asSiteId(row.id);
  // The sealed credentials are bound to the id of the site's row, so the row has to exist first.
  if (site.connection) await updateSite(handle, seal, { id, change: { connection: site.connection } });
  return id;
}

/** Returns the site's name after the change; undefined if there is no such site. */
export async function updateSite(
  handle: Handle,
  seal: Seal,
  { id, change }: { id: SiteId; change: SiteChange },
): Promise<string | undefined> {
  const { connection } = change;
  const connectionColumns =
    connection !== undefined && (await toConnectionColumns(handle, seal, { id, connection }));
  const row = await handle
    .updateTable('sites')
    .set({
      ...(change.name !== undefined && { name: change.name }),
      ...(change.active !== undefined && { active: change.active ? 1 : 0 }),
      ...(change.controllerSite !== undefined && { controller_site: change.controllerSite }),
      ...connectionColumns,
      ...(change.importsForeign !== undefined && { imports_foreign: change.importsForeign ? 1 : 0 }),
      ...(change.checkOut !== undefined && { check_out: change.checkOut }),
      ...(change.timeZone !== undefined && { time_zone: change.timeZone }),
      ...(change.hasGuestPage !== undefined && { guest_page: change.hasGuestPage ? 1 : 0 }),
      ...(change.replyTo !== undefined && { reply_to: change.replyTo }),
    })
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirst();
  return row?.name;
}

/** Tables that tie a site to records, user permissions or profiles. */
const TRACES = ['vouchers', 'intents', 'batches', 'user_sites', 'profile_sites'] as const;

export async function hasTraces(handle: Handle, id: SiteId): Promise<boolean> {
  for (const table of TRACES) {
    const row = await handle
      .selectFrom(table)
      .select('site_id')
      .where('site_id', '=', id)
      .limit(1)
      .executeTakeFirst();
    if (row) return true;
  }
  return false;
}

/**
 * Deletes a site with its stock, sync result, slip settings, list changes and images, and by cascades with the rest of
 * what `selectContents` lists. No vouchers, batches, users or profiles may refer to it.
 */
export async function deleteSite(handle: Handle, id: SiteId): Promise<void> {
  for (const table of ['stock', 'site_syncs', 'site_slips', 'list_changes'] as const)
    await handle.deleteFrom(table).where('site_id', '=', id).execute();
  await handle
    .deleteFrom('images')
    .where('name', 'in', [`site-${id}`, `screen-${id}`])
    .execute();
  await handle.deleteFrom('sites').where('id', '=', id).execute();
}

export async function selectSiteName(handle: Handle, id: number): Promise<string> {
  const row = await handle.selectFrom('sites').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  return row.name;
}

/** Locks the row of the site: until the transaction ends, no other transaction can lock it. Returns the site's name. */
export async function holdSite(handle: Handle, id: SiteId): Promise<string> {
  const row = await handle
    .updateTable('sites')
    .set((eb) => ({ active: eb.ref('active') }))
    .where('id', '=', id)
    .returning('name')
    .executeTakeFirstOrThrow();
  return row.name;
}

/** The list version, including the changes that are not added to the column yet. */
export const CURRENT_VERSION = sql<number>`list_version
  + (select count(*) from list_changes where list_changes.site_id = sites.id)`;

const listVersion = compileOnce((handle: Handle, { id }: Placeholders<{ id: SiteId }>) =>
  handle.selectFrom('sites').select(CURRENT_VERSION.as('version')).where('id', '=', id),
);

export async function selectListVersion(handle: Handle, id: SiteId): Promise<number | undefined> {
  return (await listVersion(handle, { id })).rows[0]?.version;
}

const raiseVersion = compileOnce((handle: Handle, { id }: Placeholders<{ id: SiteId }>) =>
  handle
    .updateTable('sites')
    .set((eb) => ({ list_version: eb('list_version', '+', 1) }))
    .where('id', '=', id)
    .returning(CURRENT_VERSION.as('version')),
);

/** `recorded` is the recorded voucher, if recording one voucher is the whole change. */
export async function raiseListVersion(handle: Handle, siteId: SiteId, recorded?: Voucher): Promise<void> {
  const version = (await raiseVersion(handle, { id: siteId })).rows[0]?.version;
  noteListChange(handle, { siteId, version, recorded });
}

let byName: Intl.Collator | undefined;

/** The collator is created only when names are compared, because the first collator costs 15 ms and 3 MB. */
export function compareNames(one: string, other: string): number {
  byName ??= new Intl.Collator('de', { numeric: true });
  return byName.compare(one, other);
}

function toSite(row: Pick<Selectable<Tables['sites']>, (typeof siteColumns)[number]>, seal: Seal): Site {
  return {
    id: asSiteId(row.id),
    name: row.name,
    active: row.active === 1,
    controllerSite: row.controller_site,
    ...toController(row, seal),
    importsForeign: row.imports_foreign === 1,
    checkOut: row.check_out,
    timeZone: row.time_zone,
    hasGuestPage: row.guest_page === 1,
    replyTo: row.reply_to,
  };
}
