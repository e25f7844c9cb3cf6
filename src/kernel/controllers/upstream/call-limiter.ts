// Limits how many calls to a controller run at once. Waiting calls start by priority, and fairly between callers. While
// the circuit breaker is open, no call is sent. A creation is refused if it cannot finish before its caller's deadline.

import { fail, type Result } from '../../../platform/values/result.ts';
import { type CallPriority, type ControllerFailure, isCertificateCause } from '../controller.ts';
import { makeCircuitBreaker } from './circuit-breaker.ts';
import { makePace, type Pace } from './pace.ts';
import { makePrioritySemaphore } from './priority-semaphore.ts';
import { CALLS_AT_ONCE } from './trusted-pool.ts';

export const MAX_WAITING = 1_000;
/** Reserve for the service's own work between the calls. */
const MARGIN_MS = 500;
const SWEEP_INTERVAL_MS = 250;
const MAX_RETRY_AFTER_S = 60;

export interface CallOptions {
  priority: CallPriority;
  signal: AbortSignal;
  /** For creations only: the caller, and the time the caller has left. */
  creation?: QueuedCreation;
  /**
   * True for a follow-up call without which a creation is not complete (see `callsToFinish`). Its duration is included
   * in the estimate for later creations.
   */
  completes?: boolean;
}

export interface QueuedCreation {
  caller: string;
  /** How many vouchers the call creates. The durations of calls for one and for several are estimated separately. */
  count: number;
  /** How much longer the caller waits. */
  leftMs(): number;
  /** How many calls of priority `finish` must follow in sequence to complete the creation. */
  callsToFinish: number;
}

type Call<Value> = () => Promise<Result<Value, ControllerFailure>>;

export interface CallLimiter {
  /** Runs the call at its turn; fails with `unreachable` when the call was not sent. */
  run<Value>(call: Call<Value>, options: CallOptions): Promise<Result<Value, ControllerFailure>>;
  /**
   * The reason why a creation that arrives now could not be finished in time, or undefined. Also undefined while the
   * circuit breaker is open: `run` reports that failure.
   */
  overload(creation: QueuedCreation): ControllerFailure | undefined;
  /** Whether calls with a higher priority than `sync` are waiting. */
  isBusy(): boolean;
}

export function makeCallLimiter(clock: { nowMs(): number }): CallLimiter {
  const breaker = makeCircuitBreaker(clock);
  const semaphore = makePrioritySemaphore({ places: CALLS_AT_ONCE, maxWaiting: MAX_WAITING }, clock);
  const paces = { single: makePace(), batch: makePace(), completion: makePace() };
  let creating = 0;
  let sweptAtMs = Number.NEGATIVE_INFINITY;

  return {
    async run(call, { priority, signal, creation, completes }) {
      const failure = breaker.failure();
      if (failure) return fail(failure);
      const waiting = {
        priority,
        caller: creation?.caller ?? '',
        mayStart: (position: number) => !creation || fits(creation, position),
      };
      const turn = await semaphore.acquire(waiting, signal);
      if (turn === 'refused') return fail(creation ? busy(creation.caller) : QUEUE_FULL);
      if (turn === 'aborted') return fail(NOT_SENT);
      if (creation) creating++;
      try {
        // During the wait, the circuit breaker may have opened or the caller's time may have run out.
        const late = breaker.failure();
        if (late) return fail(late);
        if (signal.aborted) return fail(NOT_SENT);
        const startedAt = performance.now();
        const result = await call();
        const responded = result.ok || result.problem.kind === 'refused';
        // A certificate failure shows that the controller can be reached. It does not open the circuit breaker, so that
        // later calls also report the certificate as the cause.
        const isThere = responded || isCertificateCause(result.problem.cause);
        // A call that its caller aborted says nothing about the controller.
        if (!signal.aborted) breaker.note(isThere);
        const pace = creation ? paceOf(creation) : completes && paces.completion;
        if (responded && pace) pace.note(performance.now() - startedAt);
        return result;
      } finally {
        if (creation) creating--;
        semaphore.release(priority);
        sweepNowAndThen();
      }
    },

    overload: (creation) =>
      breaker.failure() || fits(creation, semaphore.aheadOf(creation.caller))
        ? undefined
        : busy(creation.caller),

    isBusy: () => semaphore.aheadOf('') > 0,
  };

  /** Whether a creation behind this many calls would be finished before its deadline. */
  function fits(creation: QueuedCreation, position: number): boolean {
    const { leftMs, callsToFinish } = creation;
    // Until a completing call has been measured, it is expected to take as long as a creation.
    const completion = paces.completion.averageMs() > 0 ? paces.completion : paceOf(creation);
    // For an idle controller, use the average instead of the cautious estimate `safeMs`. Otherwise a few slow calls
    // could cause every creation to be refused, and without new calls the estimate would never improve.
    const isIdle = position === 0 && creating === 0;
    const neededMs = isIdle
      ? paceOf(creation).averageMs() + callsToFinish * completion.averageMs()
      : paceOf(creation).safeMs(1) + completion.safeMs(callsToFinish);
    return waitMs(position) + neededMs + (neededMs > 0 ? MARGIN_MS : 0) <= leftMs();
  }

  function paceOf({ count }: QueuedCreation): Pace {
    return count > 1 ? paces.batch : paces.single;
  }

  function waitMs(position: number): number {
    return (position / CALLS_AT_ONCE) * paces.single.averageMs();
  }

  /** Refuses waiting creations early if their turn would come too late. */
  function sweepNowAndThen(): void {
    const nowMs = performance.now();
    if (nowMs - sweptAtMs < SWEEP_INTERVAL_MS) return;
    sweptAtMs = nowMs;
    semaphore.sweep();
  }

  function busy(caller: string): ControllerFailure {
    const retryAfterS = Math.ceil(waitMs(semaphore.aheadOf(caller)) / 1000);
    return {
      kind: 'unreachable',
      cause: 'busy',
      text: 'the controller is too busy: the voucher could not have been finished in time, so nothing was sent',
      retryAfterS: Math.min(MAX_RETRY_AFTER_S, Math.max(1, retryAfterS)),
    };
  }
}

const QUEUE_FULL: ControllerFailure = {
  kind: 'unreachable',
  cause: 'busy',
  text: 'the controller is too busy: too many calls are waiting, so this call was not sent',
  retryAfterS: 5,
};

const NOT_SENT: ControllerFailure = {
  kind: 'unreachable',
  cause: 'busy',
  text: 'the controller is too busy: the call was not sent in time',
  retryAfterS: 1,
};
