// The store for API keys.

import type { AuditDetails } from '../../domain/audit/audit-details.ts';
import type { KeyId } from '../../domain/ids.ts';
import type { KeyChange, KeyStore, NewKey } from '../../domain/keys/key-store.ts';
import { audited } from '../audit/audited.ts';
import { insertAuditEntry } from '../audit/queries.ts';
import { makeCachedRead } from '../cached-read.ts';
import type { Database } from '../database.ts';
import {
  insertKey,
  markKeyRevoked,
  selectHashes,
  selectKey,
  selectKeys,
  updateKey,
  updateLastUsed,
} from './queries.ts';
import { makeSharedKeyLookup } from './shared-key-lookup.ts';

export function makeKeyStore(database: Database): KeyStore {
  const { read: find } = makeCachedRead(database, (id: KeyId) => selectKey(database.read, id));
  return {
    find,
    lookUp: database.writeAtOnce ? makeSharedKeyLookup(database) : ({ id }) => find(id),
    listHashes: (nowMs, maxKeys) => selectHashes(database.read, nowMs, maxKeys),
    list: () => selectKeys(database.read),
    add: (key, by) =>
      database.write(async (transaction) => {
        await insertKey(transaction, key);
        const details = { key: { id: key.id, name: key.name }, ...restrictionsOf(key) };
        await insertAuditEntry(transaction, { ...by, action: 'key.created', details });
      }),
    change: (id, change, audit) =>
      audited(
        database,
        { ...audit, action: 'key.changed', details: { key: { id, name: '' }, changes: inAudit(change) } },
        (transaction) => updateKey(transaction, id, change),
      ),
    revoke: (id, audit) =>
      audited(
        database,
        { ...audit, action: 'key.revoked', details: { key: { id, name: '' } } },
        (transaction) => markKeyRevoked(transaction, id, audit.atMs),
      ),
    saveLastUsed: (lastUses) =>
      database.write(async (transaction) => {
        for (const [id, lastUse] of lastUses) await updateLastUsed(transaction, id, lastUse);
      }),
  };
}

/** The sites, the expiry date and the note of a new key, as far as they differ from the defaults. */
function restrictionsOf({ sites, expiresAtMs, note }: NewKey): Pick<AuditDetails, 'changes'> {
  const set = {
    ...(sites !== 'all' && { sites }),
    ...(expiresAtMs !== null && { expiresAtMs }),
    ...(note !== '' && { note }),
  };
  return Object.keys(set).length > 0 ? { changes: inAudit(set) } : {};
}

function inAudit({ expiresAtMs, ...change }: KeyChange): Record<string, unknown> {
  if (expiresAtMs === undefined) return change;
  return { ...change, expires: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString() };
}
