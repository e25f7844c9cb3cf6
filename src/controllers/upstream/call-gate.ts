// Stands in front of one controller: a few calls at once, a bounded queue behind them, and after several
// failures in a row a pause in which nobody waits for a controller that is known to be away.

import type { ControllerFailure } from '../../domain/controller.ts';
import { fail, type Result } from '../../domain/result.ts';
import { CALLS_AT_ONCE } from './trusted-agent.ts';

export const MOST_WAITING = 1_000;
const FAILURES_TO_PAUSE = 5;
const PAUSE_MS = 10_000;

const NOT_SENT: ControllerFailure = {
  kind: 'unreachable',
  cause: 'busy',
  text: 'the controller is too busy: the call was not sent in time',
};

export const TOO_MANY: ControllerFailure = {
  kind: 'unreachable',
  cause: 'busy',
  text: 'too many calls are waiting for this controller',
};

type Call<Value> = () => Promise<Result<Value, ControllerFailure>>;

export interface CallGate {
  /** Runs the call when it is its turn; `unreachable` when that is not to be expected. */
  run<Value>(call: Call<Value>, signal: AbortSignal): Promise<Result<Value, ControllerFailure>>;
}

export function makeCallGate(clock: { nowMs(): number }): CallGate {
  const waiting: (() => void)[] = [];
  let running = 0;
  let failuresInARow = 0;
  let firstFailedAtMs = 0;
  let pausedUntilMs = 0;

  return {
    async run(call, signal) {
      if (running < CALLS_AT_ONCE) running++;
      else {
        if (isPaused()) return fail(away());
        if (waiting.length >= MOST_WAITING) return fail(TOO_MANY);
        if (!(await myTurn(signal))) return fail(NOT_SENT);
      }
      try {
        // Whoever has waited finds out here what happened meanwhile.
        if (isPaused()) return fail(away());
        if (signal.aborted) return fail(NOT_SENT);
        const result = await call();
        // Who ran out of time has learnt nothing about the controller.
        if (!signal.aborted) note(result.ok || result.problem.kind === 'refused');
        return result;
      } finally {
        // The place is handed on, so that nobody slips in between.
        const next = waiting.shift();
        if (next) next();
        else running--;
      }
    },
  };

  function isPaused(): boolean {
    const leftMs = pausedUntilMs - clock.nowMs();
    // More than a pause is left only when the clock was set back.
    return leftMs > 0 && leftMs <= PAUSE_MS;
  }

  /** False when the caller's time is over first. */
  function myTurn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        resolve(false);
      };
      if (signal.aborted) return resolve(false);
      signal.addEventListener('abort', leave, { once: true });
      waiting.push(enter);
    });
  }

  function note(answered: boolean): void {
    if (answered) {
      failuresInARow = 0;
      return;
    }
    if (failuresInARow++ === 0) firstFailedAtMs = clock.nowMs();
    // Those who come after the pause try; if that fails too, the next pause begins.
    if (failuresInARow >= FAILURES_TO_PAUSE) pausedUntilMs = clock.nowMs() + PAUSE_MS;
  }

  function away(): ControllerFailure {
    const since = new Date(firstFailedAtMs).toISOString();
    return {
      kind: 'unreachable',
      cause: 'away',
      text: `the controller has not been reachable since ${since}`,
    };
  }
}
