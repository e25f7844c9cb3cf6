// Queries for the API keys of another tool, and for existing keys that may use a removed demo or the moved sites.

import type { SiteId } from '../../../kernel/ids.ts';
import { toMovedInId } from '../../../kernel/keys/api-key.ts';
import type { Handle } from '../../../platform/database/database.ts';
import type { MovedInKey } from '../moved-in-data.ts';

export async function insertKeys(handle: Handle, keys: MovedInKey[], atMs: number): Promise<void> {
  for (const key of keys) {
    const id = toMovedInId(key.prefix);
    if (id === undefined) throw new Error(`the prefix ${key.prefix} was not checked`);
    await handle
      .insertInto('api_keys')
      .values({
        id,
        name: key.name,
        scope: key.scope,
        rate_limit: key.rateLimit,
        key_hash: key.hash,
        created_at_ms: key.createdAtMs ?? atMs,
        last_used_at_ms: key.lastUsedAtMs,
        revoked_at_ms: key.isActive ? null : atMs,
        note: 'Unifi-Voucher-Tool',
      })
      .execute();
  }
}

/**
 * Removes these sites from all keys, and returns the names of the changed keys. The moved sites may get the ids of
 * removed demos, and a key for such a demo must not give access to a moved site.
 */
export async function takeSitesFromKeys(handle: Handle, siteIds: SiteId[]): Promise<string[]> {
  // Locks the keys: a simultaneous change of a key waits.
  const rows = await handle
    .updateTable('api_keys')
    .set((eb) => ({ site_ids: eb.ref('site_ids') }))
    .where('site_ids', '!=', 'all')
    .returning(['id', 'name', 'site_ids'])
    .execute();
  const taken = new Set(siteIds.map(String));
  const names: string[] = [];
  for (const { id, name, site_ids } of rows) {
    const ids = site_ids.split(',');
    const left = ids.filter((one) => !taken.has(one));
    if (left.length === ids.length) continue;
    await handle
      .updateTable('api_keys')
      .set({ site_ids: left.join(',') })
      .where('id', '=', id)
      .execute();
    names.push(name);
  }
  return names;
}

/** The names of valid keys that may use every site, also the sites that are moved in. */
export async function selectKeysForAll(handle: Handle): Promise<string[]> {
  const rows = await handle
    .selectFrom('api_keys')
    .select('name')
    .where('site_ids', '=', 'all')
    .where('revoked_at_ms', 'is', null)
    .orderBy('name')
    .execute();
  return rows.map(({ name }) => name);
}
