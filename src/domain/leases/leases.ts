// Who does a piece of background work at the moment: one holder at a time, and another one soon when that
// one dies. What is done under a lease must be safe to be done twice all the same; a lease only saves work.

import { randomUUID } from 'node:crypto';
import { joinSignals } from '../join-signals.ts';

export interface LeaseStore {
  /** Takes a lease that is free, over or already ours, for so long from now. False when somebody else has it. */
  take(name: string, holder: string, forMs: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
  /** For a service that knows it is the only one: whoever held them is dead. */
  releaseAll(): Promise<void>;
}

/** Runs the job unless somebody is at it already; undefined then. The signal ends when the lease is lost. */
export type WithLease = <Value>(
  name: string,
  signal: AbortSignal,
  job: (signal: AbortSignal) => Promise<Value>,
) => Promise<Value | undefined>;

const HELD_MS = 10_000;
const RENEWED_EVERY_MS = 3_000;

export function makeWithLease(leases: Pick<LeaseStore, 'take' | 'release'>): WithLease {
  return async function withLease(name, signal, job) {
    // Also two jobs of one process keep out of each other's way.
    const holder = randomUUID();
    if (!(await leases.take(name, holder, HELD_MS))) return undefined;

    const lost = new AbortController();
    using held = joinSignals(signal, lost.signal);
    let renewing = Promise.resolve();
    let heldSince = performance.now();
    const renewal = setInterval(() => {
      const askedAt = performance.now();
      // Who slept, or waits too long for an answer, may have lost it without being told.
      if (askedAt - heldSince > HELD_MS) lost.abort();
      // A lease that cannot be renewed may be somebody else's soon.
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
      // A renewal that is under way would outlive the release.
      await renewing;
      // Nobody minds if it only runs out.
      await leases.release(name, holder).catch(() => {});
    }
  };
}
