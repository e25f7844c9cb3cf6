// Lets callers that ask for the same key at the same time share one read. A caller never gets the result of a read that
// began before its call: a caller that arrives during a read shares the next read.

interface Options {
  /** The next read of a key begins at least this long after the running read of the key began. */
  pauseMs?: () => number;
}

export function makeSharedReads<Key, Value>(
  read: (key: Key) => Promise<Value>,
  { pauseMs = () => 0 }: Options = {},
): (key: Key) => Promise<Value> {
  const running = new Map<Key, { reading: Promise<Value>; beganAtMs: number }>();
  const next = new Map<Key, Promise<Value>>();

  return function readShared(key) {
    const following = next.get(key);
    if (following) return following;
    const current = running.get(key);
    if (!current) return begin(key);

    const beginNext = () => {
      next.delete(key);
      return begin(key);
    };
    const beginInTime = () => {
      const leftMs = current.beganAtMs + pauseMs() - performance.now();
      return leftMs > 0 ? sleep(leftMs).then(beginNext) : beginNext();
    };
    const made = current.reading.then(beginInTime, beginInTime);
    next.set(key, made);
    return made;
  };

  function begin(key: Key): Promise<Value> {
    const begun = {
      beganAtMs: performance.now(),
      reading: read(key).finally(() => {
        if (running.get(key) === begun) running.delete(key);
      }),
    };
    running.set(key, begun);
    return begun.reading;
  }
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
