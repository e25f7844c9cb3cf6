// A cache that holds at most a number of bytes. If it is full, it drops the oldest entries that were not used lately.

interface Entry<Value> {
  value: Value;
  bytes: number;
  /** Whether the entry was used since it was added, or since it was last spared. */
  isUsed: boolean;
}

export function makeSizedCache<Key, Value>(maxBytes: number) {
  /** In the order in which the entries were added or spared. */
  const entries = new Map<Key, Entry<Value>>();
  let total = 0;

  function remove(key: Key): void {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  }

  /** An entry that was used is spared once: it becomes the newest. Moving it at every use would cost more. */
  function makeRoom(bytes: number): void {
    for (const [key, entry] of entries) {
      if (total + bytes <= maxBytes) return;
      remove(key);
      if (entry.isUsed) add(key, { ...entry, isUsed: false });
    }
  }

  function add(key: Key, entry: Entry<Value>): void {
    entries.set(key, entry);
    total += entry.bytes;
  }

  return {
    get(key: Key): Value | undefined {
      const found = entries.get(key);
      if (found) found.isUsed = true;
      return found?.value;
    },

    set(key: Key, value: Value, bytes: number): void {
      remove(key);
      if (bytes > maxBytes) return;
      makeRoom(bytes);
      add(key, { value, bytes, isUsed: false });
    },

    remove,

    clear(): void {
      entries.clear();
      total = 0;
    },
  };
}
