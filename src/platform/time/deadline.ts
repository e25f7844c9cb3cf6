// A time limit: a signal that aborts the work when the time is over, and the time that is left. Disposing of a deadline
// frees its timer. Otherwise thousands of creations per minute would each keep a timer and a signal until their time is
// over.

/** No request runs longer than this, so an older intent cannot belong to a request that is still running. */
export const REQUEST_DEADLINE_MS = 20_000;

export interface Deadline extends Disposable {
  signal: AbortSignal;
  leftMs(): number;
}

export type StartDeadline = (ms: number) => Deadline;

/** Uses the monotonic clock: setting the machine's clock does not move a deadline. */
export const startDeadline: StartDeadline = (ms) => {
  const endsAtMs = performance.now() + ms;
  const over = new AbortController();
  const timer = setTimeout(() => over.abort(new DOMException('the time is over', 'TimeoutError')), ms);
  timer.unref();
  return {
    signal: over.signal,
    leftMs: () => endsAtMs - performance.now(),
    [Symbol.dispose]: () => clearTimeout(timer),
  };
};
