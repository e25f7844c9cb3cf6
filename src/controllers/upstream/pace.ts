// Estimates how long a controller takes for one kind of call: a moving average and a mean deviation, as in RFC 6298, but
// with a smaller first deviation.

export interface Pace {
  note(tookMs: number): void;
  /** Average duration of a call; 0 before the first call. */
  averageMs(): number;
  /** Upper estimate for this many calls in sequence; 0 before the first call. */
  safeMs(calls: number): number;
}

const AVERAGE_SHARE = 1 / 8;
const DEVIATION_SHARE = 1 / 4;
const DEVIATIONS = 4;

export function makePace(): Pace {
  let average: number | undefined;
  let deviation = 0;

  return {
    note(tookMs) {
      if (average === undefined) {
        average = tookMs;
        deviation = tookMs / 8;
        return;
      }
      deviation += DEVIATION_SHARE * (Math.abs(tookMs - average) - deviation);
      average += AVERAGE_SHARE * (tookMs - average);
    },
    averageMs: () => average ?? 0,
    safeMs: (calls) => (calls === 0 ? 0 : calls * (average ?? 0) + DEVIATIONS * deviation),
  };
}
