// Reads a value and shares it between all callers for a short time, so that many callers cause few reads.

import type { Clock } from '../time/clock.ts';

export function makeFreshRead<Value>(
  { clock, freshMs }: { clock: Clock; freshMs: number },
  read: (nowMs: number) => Promise<Value>,
): () => Promise<Value> {
  let last: { sinceMs: number; reading: Promise<Value> } | undefined;
  return () => {
    const nowMs = clock.nowMs();
    if (last && nowMs >= last.sinceMs && nowMs < last.sinceMs + freshMs) return last.reading;
    const begun = { sinceMs: nowMs, reading: read(nowMs) };
    last = begun;
    // If reading fails, the waiting callers get the error, and the next caller reads again.
    begun.reading.catch(() => {
      if (last === begun) last = undefined;
    });
    return begun.reading;
  };
}
