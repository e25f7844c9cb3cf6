// Keeps the answers of a point read for as long as the database says that nothing has changed.
// On an engine without a change stamp the database is asked, once for all who ask at the same time.

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
    // While we waited, a newer stamp may have put a new map in place: then this value is not for it.
    target.set(key, value);
    return value;
  };
}
