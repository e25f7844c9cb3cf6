// Decides whether this machine's clock may be used to delete records by age. A clock that is far ahead would make
// everything look old, so it is compared with the last heartbeat: the time when the clock was last trusted.

import type { Clock } from '../../platform/time/clock.ts';
import type { AuditContext } from '../audit/audit-log.ts';

const DAY_MS = 24 * 60 * 60_000;
/** A clock that is ahead of the last heartbeat by more than this is doubted. */
const MAX_AHEAD_MS = DAY_MS;
/** A doubted clock is trusted again after the service has run for this long and the clock has not jumped again. */
export const WAIT_MS = DAY_MS;
/** Another machine's clock confirms this machine's clock if the two differ by less than this. */
export const MAX_DIFFERENCE_MS = 5 * 60_000;

/**
 * What is stored about the clock. `runningMs` is how long the service has been running, added up over all starts. It is
 * measured with the monotonic clock, so a jump of the time of day does not change it.
 */
export interface ClockRecord {
  heartbeatMs: number;
  runningMs: number;
  doubt: Doubt | null;
}

interface Doubt {
  /** The service's running time when the jump was noticed. */
  sinceRunningMs: number;
  /** What the doubted clock showed last. */
  seenMs: number;
}

export interface ClockRecordStore {
  /** Without a stored heartbeat, the last test write or audit entry that is not dated after `nowMs` counts as one. */
  read(nowMs: number): Promise<ClockRecord>;
  change(nowMs: number, change: (stored: ClockRecord) => ClockRecord): Promise<ClockRecord>;
  /** Stores the time of the audit entry as the heartbeat, and ends the doubt. */
  confirm(audit: AuditContext): Promise<void>;
}

/** The time of a clock that is not doubted. Only this time may decide what is old enough to be deleted. */
export interface TrustedTime {
  nowMs: number;
  runningMs: number;
}

/** Undefined while the clock is doubted. */
export type ReadTrustedTime = () => Promise<TrustedTime | undefined>;

export function isDoubtful({ heartbeatMs }: Pick<ClockRecord, 'heartbeatMs'>, clockMs: number): boolean {
  return clockMs > heartbeatMs + MAX_AHEAD_MS;
}

/** How long the service must still run until a doubted clock is trusted: `WAIT_MS` if no doubt is stored yet. */
export function untilTrustedMs({ runningMs, doubt }: ClockRecord): number {
  return doubt ? Math.max(0, doubt.sinceRunningMs + WAIT_MS - runningMs) : WAIT_MS;
}

interface Now {
  clockMs: number;
  runningMs: number;
  /** True if another machine's clock agrees with this machine's clock. */
  isVouched: boolean;
}

/**
 * A clock that is behind the heartbeat is trusted, because it makes records look too new, so none is deleted too early.
 */
function nextRecord(stored: ClockRecord, { clockMs, runningMs, isVouched }: Now): ClockRecord {
  const trusted = { heartbeatMs: clockMs, runningMs, doubt: null };
  if (isVouched || !isDoubtful(stored, clockMs)) return trusted;
  const { doubt } = stored;
  const passedMs = runningMs - stored.runningMs;
  const hasJumpedAgain = doubt && Math.abs(clockMs - doubt.seenMs - passedMs) > MAX_AHEAD_MS;
  const sinceRunningMs = doubt && !hasJumpedAgain ? doubt.sinceRunningMs : runningMs;
  if (runningMs - sinceRunningMs >= WAIT_MS) return trusted;
  return { heartbeatMs: stored.heartbeatMs, runningMs, doubt: { sinceRunningMs, seenMs: clockMs } };
}

interface Deps {
  clockRecords: ClockRecordStore;
  clock: Clock;
  monotonicMs: () => number;
}

export function makeClockCheck({ clockRecords, clock, monotonicMs }: Deps) {
  let stopwatch: { runningMs: number; atMs: number } | undefined;

  /** The running times of simultaneous instances are not added up: the longest one counts. */
  function readRunningMs(stored: ClockRecord): number {
    const atMs = monotonicMs();
    const ownMs = stopwatch ? stopwatch.runningMs + atMs - stopwatch.atMs : 0;
    stopwatch = { runningMs: Math.max(stored.runningMs, ownMs), atMs };
    return stopwatch.runningMs;
  }

  const readTrustedTime: ReadTrustedTime = async () => {
    const nowMs = clock.nowMs();
    const stored = await clockRecords.read(nowMs);
    return isDoubtful(stored, nowMs) ? undefined : { nowMs, runningMs: readRunningMs(stored) };
  };

  /** Renews the heartbeat if the clock is trusted; otherwise stores the doubt. */
  function beat({ isVouched } = { isVouched: false }): Promise<ClockRecord> {
    const clockMs = clock.nowMs();
    return clockRecords.change(clockMs, (stored) =>
      nextRecord(stored, { clockMs, runningMs: readRunningMs(stored), isVouched }),
    );
  }

  return { readTrustedTime, beat };
}

export type Beat = ReturnType<typeof makeClockCheck>['beat'];
