// Caches the results of a point read until the database reports a change through its change stamp.
// On an engine without a change stamp every call reads the database; concurrent calls for the same key share a read.

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
    // During the read a newer stamp may have replaced the map. The value belongs to the old map.
    target.set(key, value);
    return value;
  };
}
