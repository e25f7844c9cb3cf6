// Waiting for something that is shared: whose time is over goes, the work goes on for the others.

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
