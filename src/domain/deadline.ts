// A time limit: a signal that aborts the work, and the time left for planning.

export interface Deadline {
  signal: AbortSignal;
  leftMs(): number;
}

export type StartDeadline = (ms: number) => Deadline;

/** Uses the monotonic clock: setting the machine's clock does not move a deadline. */
export const startDeadline: StartDeadline = (ms) => {
  const endsAtMs = performance.now() + ms;
  return { signal: AbortSignal.timeout(ms), leftMs: () => endsAtMs - performance.now() };
};
