// The rule of the rate limit: a fixed window of one minute that begins with a key's first counted request. A refused
// request is not counted. Each implementation of `RateCounter` decides where windows are stored.

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

/** The window after one or more requests were counted in it together. */
export interface CountedWindow extends RateWindow {
  /** How many of these requests exceed the limit. They are not counted. */
  refused: number;
  nowMs: number;
}

/**
 * How far in the future a shared window may begin: another request may have opened it slightly after this request read
 * the time. If the window begins even later, the clock was set back, and a new window begins.
 */
export const MAX_AHEAD_MS = 10_000;

interface Requests {
  limit: number;
  nowMs: number;
  requests?: number;
  maxAheadMs?: number;
}

/**
 * Counts requests in the current window, or in a new one if there is none or it is over. A window that begins more than
 * `maxAheadMs` in the future is over, too: the clock was set back, and no caller must be blocked until it catches up.
 */
export function countInWindow(
  current: RateWindow | undefined,
  { limit, nowMs, requests = 1, maxAheadMs = 0 }: Requests,
): CountedWindow {
  const isRunning =
    current && nowMs < current.startedAtMs + WINDOW_MS && current.startedAtMs <= nowMs + maxAheadMs;
  const { startedAtMs, counted } = isRunning ? current : { startedAtMs: nowMs, counted: 0 };
  // If the limit was lowered in the meantime, the count may already exceed it.
  const granted = Math.max(0, Math.min(requests, limit - counted));
  return { startedAtMs, counted: counted + granted, refused: requests - granted, nowMs };
}

/**
 * The verdict on one of several requests that were counted together. As many as the limit allows are accepted, in
 * their order. `place` is the position of the request in this order, from 1.
 */
export function verdictOn(
  place: number,
  { limit, requests = 1 }: Pick<Requests, 'limit' | 'requests'>,
  { startedAtMs, counted, refused, nowMs }: CountedWindow,
): RateVerdict {
  const granted = requests - refused;
  const resetAtMs = startedAtMs + WINDOW_MS;
  return {
    accepted: place <= granted,
    limit,
    left: Math.max(0, limit - counted + Math.max(0, granted - place)),
    resetAtMs,
    secondsLeft: Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000)),
  };
}
