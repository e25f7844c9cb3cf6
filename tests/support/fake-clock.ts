// A clock that does not move until a test advances it.

import type { Clock } from '../../src/platform/time/clock.ts';

export interface FakeClock extends Clock {
  advance(ms: number): void;
}

export function makeFakeClock(startsAt = '2026-01-15T11:28:51.000Z'): FakeClock {
  let nowMs = Date.parse(startsAt);
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}
