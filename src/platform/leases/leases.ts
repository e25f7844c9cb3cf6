// Leases decide which process does a piece of background work: one holder at a time, and a new holder soon after the
// previous one dies. In rare cases two processes still do the same work, so the work must be safe to do twice.

import { randomUUID } from 'node:crypto';
import { joinSignals } from '../concurrency/join-signals.ts';

export interface LeaseStore {
  /**
   * Takes a lease that is free, expired or already held by `holder`, for `forMs` from now. False if another holder has
   * it.
   */
  take(name: string, holder: string, forMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
  /** For a service that knows it is the only instance: all previous holders are dead. */
  releaseAll(): Promise<void>;
}

/**
 * Runs the job, unless the lease is held elsewhere: then the result is undefined. The job's signal aborts when the
 * lease is lost or `signal` aborts.
 */
export type WithLease = <Value>(
  name: string,
  signal: AbortSignal,
  job: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value | undefined>;

const HELD_MS = 10_000;
const RENEWED_EVERY_MS = 3_000;

export function makeWithLease(leases: Pick<LeaseStore, 'take' | 'release'>): WithLease {
  return async function withLease(name, signal, job) {
    // A new holder per call, so that two jobs of one process exclude each other too.
    const holder = randomUUID();
    if (!(await leases.take(name, holder, HELD_MS))) return undefined;

    const lost = new AbortController();
    using held = joinSignals(signal, lost.signal);
    let renewing = Promise.resolve();
    let heldSince = performance.now();
    const renewal = setInterval(() => {
      const askedAt = performance.now();
      // The machine was suspended or a response was slow: meanwhile another holder may have taken the expired lease.
      if (askedAt - heldSince > HELD_MS) lost.abort();
      // A failed renewal counts as a lost lease, because another holder may soon take it.
      renewing = leases.take(name, holder, HELD_MS).then(
        (kept) => {
          if (kept) heldSince = askedAt;
          else lost.abort();
        },
        () => lost.abort(),
      );
    }, RENEWED_EVERY_MS);
    try {
      return await job(held.signal);
    } finally {
      clearInterval(renewal);
      // A renewal still in progress would take the lease again after the release.
      await renewing;
      // If the release fails, the lease expires by itself.
      await leases.release(name, holder).catch(() => {});
    }
  };
}
