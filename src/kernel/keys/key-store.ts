// The store for API keys.

import { makeCachedRead } from '../../platform/database/cached-read.ts';
import type { Database } from '../../platform/database/database.ts';
import type { AuditDetails } from '../audit/audit-details.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { audited } from '../audit/audited-store.ts';
import type { KeyId } from '../ids.ts';
import {
  insertKey,
  markKeyRevoked,
  selectHashes,
  selectKey,
  selectKeys,
  updateKey,
  updateLastUsed,
} from './key-queries.ts';
import type { KeyChange, KeyStore, NewKey } from './key-records.ts';
import { makeSharedKeyLookup } from './shared-key-store.ts';

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
