// Stops calls to a controller that keeps failing: after several unanswered calls in a row, no call is sent during a
// pause. If the first call after the pause fails, the next pause begins.

import { leftUntil } from '../../../platform/time/clock.ts';
import type { ControllerFailure } from '../controller.ts';
import { unreachable } from './failures.ts';

const FAILURES_TO_OPEN = 5;
const PAUSE_MS = 10_000;

export function makeCircuitBreaker(clock: { nowMs(): number }) {
  let failuresInARow = 0;
  let firstFailedAtMs = 0;
  let pausedUntilMs = 0;

  return {
    /** The failure to report while calls are paused, or undefined if calls may be sent. */
    failure(): ControllerFailure | undefined {
      if (leftUntil(pausedUntilMs, { nowMs: clock.nowMs(), longestMs: PAUSE_MS }) === 0) return undefined;
      const since = new Date(firstFailedAtMs).toISOString();
      return unreachable('away', `the controller has not been reachable since ${since}`);
    },

    note(responded: boolean): void {
      if (responded) {
        failuresInARow = 0;
        return;
      }
      if (failuresInARow++ === 0) firstFailedAtMs = clock.nowMs();
      if (failuresInARow >= FAILURES_TO_OPEN) pausedUntilMs = clock.nowMs() + PAUSE_MS;
    },
  };
}
