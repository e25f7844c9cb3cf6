// One signal that ends with the first of two. Unlike AbortSignal.any it can be let go of: a signal that
// lives as long as the service must not remember every call that once listened to it.

export interface JoinedSignal extends Disposable {
  signal: AbortSignal;
}

export function joinSignals(one: AbortSignal, other: AbortSignal): JoinedSignal {
  const joined = new AbortController();
  const sources = [one, other];
  const end = () => joined.abort(one.aborted ? one.reason : other.reason);
  for (const source of sources) source.addEventListener('abort', end);
  if (one.aborted || other.aborted) end();
  return {
    signal: joined.signal,
    [Symbol.dispose]() {
      for (const source of sources) source.removeEventListener('abort', end);
    },
  };
}
