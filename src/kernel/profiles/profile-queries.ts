// Queries for profiles.

import { compileOnce } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import { asProfileId, asSiteId, type ProfileId } from '../ids.ts';
import { toOrder, toOrderColumns } from '../vouchers/storage/order-columns.ts';
import type { NewProfile, Profile } from './profile.ts';

const all = compileOnce((handle: Handle) => handle.selectFrom('profiles').selectAll());
const allSites = compileOnce((handle: Handle) => handle.selectFrom('profile_sites').selectAll());

export async function selectProfiles(handle: Handle): Promise<Profile[]> {
  const { rows } = await all(handle);
  const { rows: sites } = await allSites(handle);
  const byProfile = Map.groupBy(sites, ({ profile_id }) => profile_id);
  // Sorted here, because the engines sort letters such as ä differently.
  return rows
    .map((row) => ({
      ...toOrder(row),
      ...(row.nights !== null && { nights: row.nights }),
      id: asProfileId(row.id),
      siteIds: (byProfile.get(row.id) ?? []).map(({ site_id }) => asSiteId(site_id)),
    }))
    .sort((one, other) => one.name.localeCompare(other.name, 'de') || one.id - other.id);
}

function toProfileColumns(profile: NewProfile) {
  return { ...toOrderColumns(profile), nights: profile.nights ?? null };
}

export async function insertProfile(handle: Handle, profile: NewProfile): Promise<ProfileId> {
  const row = await handle
    .insertInto('profiles')
    .values(toProfileColumns(profile))
    .returning('id')
    .executeTakeFirstOrThrow();
  const id = asProfileId(row.id);
  await insertSites(handle, id, profile);
  return id;
}

export async function updateProfile(handle: Handle, id: ProfileId, profile: NewProfile): Promise<boolean> {
  const result = await handle
    .updateTable('profiles')
    .set(toProfileColumns(profile))
    .where('id', '=', id)
    .executeTakeFirst();
  if (result.numUpdatedRows === 0n) return false;
  await handle.deleteFrom('profile_sites').where('profile_id', '=', id).execute();
  await insertSites(handle, id, profile);
  return true;
}

/** Returns the name of the deleted profile. */
export async function deleteProfile(handle: Handle, id: ProfileId): Promise<string | undefined> {
  const row = await handle.deleteFrom('profiles').where('id', '=', id).returning('name').executeTakeFirst();
  return row?.name;
}

async function insertSites(handle: Handle, id: ProfileId, { siteIds }: NewProfile): Promise<void> {
  if (siteIds.length === 0) return;
  const values = siteIds.map((siteId) => ({ profile_id: id, site_id: siteId }));
  await handle.insertInto('profile_sites').values(values).execute();
}
