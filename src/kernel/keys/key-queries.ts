// Queries for API keys. A key is found by its id, which is the primary key of the table. The text of the key is not
// stored, only its hash.

import type { Selectable } from 'kysely';
import { withOwnMemory } from '../../platform/concurrency/own-memory.ts';
import { compileOnce, type Placeholders } from '../../platform/database/compiled-query.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Tables } from '../../platform/database/schema.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { asKeyId, asSiteId, type KeyId } from '../ids.ts';
import { type KeySites, SCOPES } from './api-key.ts';
import type { KeyChange, KeySummary, LastUse, NewKey, StoredKey } from './key-records.ts';

type Row = Selectable<Tables['api_keys']>;

/** Without the last use: it is written often, and cached keys must not depend on it. */
const storedKeyColumns = [
  'id',
  'name',
  'scope',
  'rate_limit',
  'site_ids',
  'expires_at_ms',
  'key_hash',
  'revoked_at_ms',
] as const;

const byId = compileOnce((handle: Handle, { id }: Placeholders<{ id: KeyId }>) =>
  handle.selectFrom('api_keys').select(storedKeyColumns).where('id', '=', id),
);

export async function selectKey(handle: Handle, id: KeyId): Promise<StoredKey | undefined> {
  const [row] = (await byId(handle, { id })).rows;
  return row && toStoredKey(row);
}

export async function selectKeys(handle: Handle): Promise<KeySummary[]> {
  const rows = await handle
    .selectFrom('api_keys')
    .selectAll()
    .orderBy('created_at_ms')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    ...toKey(row),
    note: row.note,
    createdAtMs: row.created_at_ms,
    lastUsedAtMs: row.last_used_at_ms,
    lastUsedIp: row.last_used_ip,
    revokedAtMs: row.revoked_at_ms,
  }));
}

export async function selectHashes(
  handle: Handle,
  nowMs: number,
  maxKeys: number,
): Promise<Map<KeyId, Buffer> | undefined> {
  const rows = await handle
    .selectFrom('api_keys')
    .select(['id', 'key_hash'])
    .where('revoked_at_ms', 'is', null)
    .where((eb) => eb.or([eb('expires_at_ms', 'is', null), eb('expires_at_ms', '>', nowMs)]))
    .limit(maxKeys + 1)
    .execute();
  if (rows.length > maxKeys) return undefined;
  return new Map(rows.map(({ id, key_hash }) => [asKeyId(id), Buffer.from(key_hash, 'hex')]));
}

export async function insertKey(handle: Handle, key: NewKey): Promise<void> {
  await handle
    .insertInto('api_keys')
    .values({
      id: key.id,
      name: key.name,
      scope: key.scope,
      rate_limit: key.rateLimit,
      key_hash: key.hash.toString('hex'),
      created_at_ms: key.createdAtMs,
      site_ids: toSiteIds(key.sites),
      expires_at_ms: key.expiresAtMs,
      note: key.note,
    })
    .execute();
}

export async function updateKey(handle: Handle, id: KeyId, change: KeyChange): Promise<boolean> {
  const result = await handle
    .updateTable('api_keys')
    .set({
      ...(change.scope !== undefined && { scope: change.scope }),
      ...(change.rateLimit !== undefined && { rate_limit: change.rateLimit }),
      ...(change.sites !== undefined && { site_ids: toSiteIds(change.sites) }),
      ...(change.expiresAtMs !== undefined && { expires_at_ms: change.expiresAtMs }),
      ...(change.note !== undefined && { note: change.note }),
    })
    .where('id', '=', id)
    // A key whose scope only a newer release knows is not changed.
    .where('scope', 'in', SCOPES)
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function markKeyRevoked(handle: Handle, id: KeyId, atMs: number): Promise<boolean> {
  const result = await handle
    .updateTable('api_keys')
    .set({ revoked_at_ms: atMs })
    .where('id', '=', id)
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Does not overwrite a later use, which another instance may have saved already. */
export async function updateLastUsed(handle: Handle, id: KeyId, { atMs, ip }: LastUse): Promise<void> {
  await handle
    .updateTable('api_keys')
    .set({ last_used_at_ms: atMs, last_used_ip: ip })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<=', atMs)]))
    .execute();
}

export function toStoredKey(row: Pick<Row, (typeof storedKeyColumns)[number]>): StoredKey {
  return {
    ...toKey(row),
    hash: withOwnMemory(Buffer.from(row.key_hash, 'hex')),
    revoked: row.revoked_at_ms !== null,
  };
}

function toKey(row: Omit<Pick<Row, (typeof storedKeyColumns)[number]>, 'key_hash' | 'revoked_at_ms'>) {
  const sites = toSites(row.site_ids);
  return {
    id: asKeyId(row.id),
    name: row.name,
    scope: sites ? readKnown(SCOPES, row.scope) : UNKNOWN,
    rateLimit: row.rate_limit,
    sites: sites ?? [],
    expiresAtMs: row.expires_at_ms,
  };
}

/** Returns undefined for a text that is neither `all` nor a list of ids. */
function toSites(text: string): KeySites | undefined {
  if (text === 'all') return 'all';
  const ids = text.split(',').filter((id) => id !== '');
  return ids.every((id) => /^[1-9]\d*$/.test(id)) ? ids.map((id) => asSiteId(Number(id))) : undefined;
}

function toSiteIds(sites: KeySites): string {
  return sites === 'all' ? sites : sites.join(',');
}
