// How long somebody waits for something: as a signal that ends the work, and as the time that is left to plan with.

export interface Deadline {
  signal: AbortSignal;
  leftMs(): number;
}

export type StartDeadline = (ms: number) => Deadline;

/** By the monotonic clock: setting the machine's clock does not move a deadline. */
export const startDeadline: StartDeadline = (ms) => {
  const endsAtMs = performance.now() + ms;
  return { signal: AbortSignal.timeout(ms), leftMs: () => endsAtMs - performance.now() };
};
