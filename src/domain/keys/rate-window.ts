// The rule of the rate limit: a fixed window of one minute that begins with a key's first counted request. A refused
// request is not counted. The counter decides where windows are stored.

import type { KeyId } from '../ids.ts';

export const WINDOW_MS = 60_000;

export interface RateWindow {
  startedAtMs: number;
  counted: number;
}

export interface RateVerdict {
  accepted: boolean;
  limit: number;
  left: number;
  /** When the window ends. */
  resetAtMs: number;
  /** Whole seconds the caller has to wait so that the next request falls into a new window. */
  secondsLeft: number;
}

/** Counts one request against a key. Throws if it cannot count, so that no request bypasses the limit. */
export interface RateCounter {
  count(keyId: KeyId, limit: number): RateVerdict | Promise<RateVerdict>;
}

/** Counts one request in the current window, or in a new window if there is none or the current one has ended. */
export function countInWindow(
  current: RateWindow | undefined,
  limit: number,
  nowMs: number,
): { window: RateWindow; verdict: RateVerdict } {
  // A clock that was set back must not block a caller for longer than one window.
  const running = current && nowMs >= current.startedAtMs && nowMs < current.startedAtMs + WINDOW_MS;
  const before = running ? current : { startedAtMs: nowMs, counted: 0 };

  const accepted = before.counted < limit;
  const window = { startedAtMs: before.startedAtMs, counted: before.counted + (accepted ? 1 : 0) };
  const resetAtMs = window.startedAtMs + WINDOW_MS;
  return {
    window,
    verdict: {
      accepted,
      limit,
      left: Math.max(0, limit - window.counted),
      resetAtMs,
      secondsLeft: Math.ceil((resetAtMs - nowMs) / 1000),
    },
  };
}
