// Tells whether the clock may decide what cannot be undone. A clock that is only some hours ahead is not doubted. So
// after a start, and after the clock has jumped, another machine's clock must agree with it, or the service must run
// for an hour without another jump: time to notice and to correct a wrong clock.

import type { Clock } from '../../platform/time/clock.ts';
import { MAX_DIFFERENCE_MS } from './clock-check.ts';
import type { OtherClock } from './clock-check-turn.ts';

const WAIT_MS = 60 * 60_000;

interface Deps {
  clock: Clock;
  monotonicMs: () => number;
  readOtherClocks: () => Promise<OtherClock[]>;
}

export function makeIsClockSettled({ clock, monotonicMs, readOtherClocks }: Deps): () => Promise<boolean> {
  let steady = begin();

  function begin() {
    const sinceMs = monotonicMs();
    return { sinceMs, offsetMs: clock.nowMs() - sinceMs, isConfirmed: false };
  }

  return async function isClockSettled() {
    const now = begin();
    if (Math.abs(now.offsetMs - steady.offsetMs) > MAX_DIFFERENCE_MS) steady = now;
    if (steady.isConfirmed || now.sinceMs - steady.sinceMs >= WAIT_MS) return true;
    // If the clock jumps while the others are read, their answer is no longer of use.
    const asked = steady;
    const others = await readOtherClocks();
    asked.isConfirmed = others.some(({ aheadMs }) => Math.abs(aheadMs) <= MAX_DIFFERENCE_MS);
    return steady.isConfirmed;
  };
}
