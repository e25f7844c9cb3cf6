// The store for API keys.

import type { KeyStore } from '../../domain/keys/key-store.ts';
import { audited } from '../audit/audited.ts';
import { makeCachedRead } from '../cached-read.ts';
import type { Database } from '../database.ts';
import { insertKey, markKeyRevoked, selectKey, selectKeys, updateKey, updateLastUsed } from './queries.ts';

export function makeKeyStore(database: Database): KeyStore {
  return {
    find: makeCachedRead(database, (id) => selectKey(database.read, id)),
    list: () => selectKeys(database.read),
    add: (key, by) =>
      audited(
        database,
        { ...by, action: 'key.created', subject: `${key.id}: ${key.name}` },
        async (transaction) => {
          await insertKey(transaction, key);
          return true;
        },
      ).then(() => undefined),
    change: (id, change, audit) =>
      audited(
        database,
        { ...audit, action: 'key.changed', subject: `${id}: ${JSON.stringify(change)}` },
        (transaction) => updateKey(transaction, id, change),
      ),
    revoke: (id, audit) =>
      audited(database, { ...audit, action: 'key.revoked', subject: id }, (transaction) =>
        markKeyRevoked(transaction, id, audit.atMs),
      ),
    saveLastUsed: (lastUsedAtMs) =>
      database.write(async (transaction) => {
        for (const [id, atMs] of lastUsedAtMs) await updateLastUsed(transaction, id, atMs);
      }),
  };
}
