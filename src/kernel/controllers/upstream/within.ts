// Waits for shared work until the caller's signal is aborted. The caller then gets the value `late`, and the work
// continues for the other callers.

export function within<Value>(signal: AbortSignal, work: () => Promise<Value>, late: Value): Promise<Value> {
  if (signal.aborted) return Promise.resolve(late);
  return new Promise((resolve, reject) => {
    const leave = () => resolve(late);
    signal.addEventListener('abort', leave, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', leave));
  });
}
