// How long a controller takes for a kind of call: a moving average and how far calls stray from it, as TCP estimates
// its round trips (RFC 6298).

export interface Pace {
  note(tookMs: number): void;
  /** What a call usually takes. 0 before the first one. */
  averageMs(): number;
  /** What hardly any run of so many calls, one after the other, exceeds. 0 before the first call. */
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
