// Lets callers who ask for the same thing at the same time share one answer. Nobody gets an answer to a
// question that was sent before their own: who comes while it is under way shares the next one.

export function makeSharedReads<Key, Value>(
  read: (key: Key) => Promise<Value>,
): (key: Key) => Promise<Value> {
  const underWay = new Map<Key, Promise<Value>>();
  const next = new Map<Key, Promise<Value>>();

  return function readShared(key) {
    const following = next.get(key);
    if (following) return following;
    const current = underWay.get(key);
    if (!current) return begin(key);

    const beginNext = () => {
      next.delete(key);
      return begin(key);
    };
    const made = current.then(beginNext, beginNext);
    next.set(key, made);
    return made;
  };

  function begin(key: Key): Promise<Value> {
    const reading = read(key).finally(() => {
      if (underWay.get(key) === reading) underWay.delete(key);
    });
    underWay.set(key, reading);
    return reading;
  }
}
