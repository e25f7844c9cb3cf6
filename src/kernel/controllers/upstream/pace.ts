// Estimates how long a controller takes for one kind of call: a moving average and a mean deviation, as in RFC 6298,
// but with a smaller first deviation.

const AVERAGE_SHARE = 1 / 8;
const DEVIATION_SHARE = 1 / 4;
const DEVIATIONS = 4;
/** The estimate is discarded this long after the last call: the controller may have been restarted since. */
const FORGET_MS = 30_000;

export type Pace = ReturnType<typeof makePace>;

export function makePace(clock = { nowMs: () => performance.now() }) {
  let average: number | undefined;
  let deviation = 0;
  let notedAtMs = 0;
  const forgetOld = () => {
    if (average !== undefined && clock.nowMs() - notedAtMs > FORGET_MS) average = undefined;
  };

  return {
    note(tookMs: number): void {
      forgetOld();
      notedAtMs = clock.nowMs();
      if (average === undefined) {
        average = tookMs;
        deviation = tookMs / 8;
        return;
      }
      deviation += DEVIATION_SHARE * (Math.abs(tookMs - average) - deviation);
      average += AVERAGE_SHARE * (tookMs - average);
    },
    /** Average duration of a call; 0 while no recent call is known. */
    averageMs(): number {
      forgetOld();
      return average ?? 0;
    },
    /** Upper estimate for this many calls in sequence; 0 while no recent call is known. */
    safeMs(calls: number): number {
      forgetOld();
      return average === undefined || calls === 0 ? 0 : calls * average + DEVIATIONS * deviation;
    },
  };
}
