// Caches the result of a read for each key until the change stamp of the database changes. Without a change stamp
// nothing is cached, but concurrent calls for the same key share one read.

import { makeSharedReads } from '../concurrency/shared-reads.ts';
import type { Database } from './database.ts';

const MAX_ENTRIES = 20_000;

export function makeCachedRead<Key, Value>(
  database: Pick<Database, 'changeStamp'>,
  load: (key: Key) => Promise<Value>,
) {
  const loadShared = makeSharedReads(load);
  let cached = new Map<Key, Value>();
  let cachedStamp: number | undefined;
  let replacements = 0;

  async function read(key: Key): Promise<Value> {
    const stamp = database.changeStamp();
    if (stamp === undefined) return loadShared(key);
    if (stamp !== cachedStamp) {
      cached = new Map();
      cachedStamp = stamp;
    }
    const known = cached.get(key);
    if (known !== undefined) return known;

    const target = cached;
    const replacementsBefore = replacements;
    const value = await load(key);
    // The value may be outdated if a newer stamp has replaced the map during the read, or if `replace` was called.
    if (target === cached && replacements === replacementsBefore) keep(key, value);
    return value;
  }

  function keep(key: Key, value: Value): void {
    // Do not cache that a value is missing: requests with invented keys would push real values out of the cache.
    if (value === undefined) return;
    cached.set(key, value);
    const [oldest] = cached.keys();
    if (cached.size > MAX_ENTRIES && oldest !== undefined) cached.delete(oldest);
  }

  /** Called when this process has changed the value without changing the stamp. */
  function replace(key: Key, value: Value): void {
    replacements++;
    cached.delete(key);
    keep(key, value);
  }

  return { read, replace };
}
