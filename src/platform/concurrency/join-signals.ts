// A signal that aborts as soon as one of two signals does. Unlike with AbortSignal.any, its listeners can be removed.
// Otherwise a signal that lives as long as the service would keep a listener for every past call.

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
