// Caches the result of a read for each key until the change stamp of the database changes. Without a change stamp
// nothing is cached, but concurrent calls for the same key share one read.

import { makeSharedReads } from '../domain/shared-reads.ts';
import type { Database } from './database.ts';

const MAX_ENTRIES = 10_000;

export function makeCachedRead<Key, Value>(
  database: Pick<Database, 'changeStamp'>,
  load: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const loadShared = makeSharedReads(load);
  let cached = new Map<Key, Value>();
  let cachedStamp: number | undefined;

  return async function read(key) {
    const stamp = database.changeStamp();
    if (stamp === undefined) return loadShared(key);
    if (stamp !== cachedStamp || cached.size >= MAX_ENTRIES) {
      cached = new Map();
      cachedStamp = stamp;
    }
    const known = cached.get(key);
    if (known !== undefined) return known;

    const target = cached;
    const value = await load(key);
    // A newer stamp may have replaced the map during the read. The value may be outdated, so only the old map gets it.
    target.set(key, value);
    return value;
  };
}
