// Time as a dependency: use cases read a clock, so that tests can set the time.

export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/**
 * How long to wait until `untilMs`. No wait of this kind is longer than `longestMs`: if more than that is left, the
 * clock was set back, and the wait is over.
 */
export function leftUntil(
  untilMs: number,
  { nowMs, longestMs }: { nowMs: number; longestMs: number },
): number {
  const leftMs = untilMs - nowMs;
  return leftMs > 0 && leftMs <= longestMs ? leftMs : 0;
}

export const toWholeSeconds = (ms: number): number => Math.floor(ms / 1000);
