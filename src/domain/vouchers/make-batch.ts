// Makes the vouchers of a batch, a few at a time, until there are as many as wanted or one cannot be made.
// Whatever happens, what was made is on record with its batch. Ends batches that a crash has left behind.

import type { Clock } from '../clock.ts';
import type { FailureCause } from '../controller.ts';
import type { WithLease } from '../leases.ts';
import type { CreationProblem } from '../problem.ts';
import type { User } from '../users/user.ts';
import type { Batch, BatchStore, NewBatch } from './batch.ts';
import type { CreateVoucher } from './create-voucher.ts';

const AT_ONCE = 4;
export const INTERRUPTED = 'interrupted';

/** Resolves when it has ended; false when there was one of its id already. */
export type MakeBatch = (batch: NewBatch, user: User, address: string) => Promise<boolean>;

type Why = Pick<Batch, 'problem' | 'cause'>;

interface Needs {
  batches: BatchStore;
  createVoucher: CreateVoucher;
  withLease: WithLease;
  describe: (problem: CreationProblem) => string;
  clock: Clock;
  /** Ends when the service stops: then a batch ends with what it has. */
  stopping: AbortSignal;
}

export function makeMakeBatch(needs: Needs): MakeBatch {
  const { batches, createVoucher, withLease, describe, clock, stopping } = needs;

  return async function makeBatch(batch, user, address) {
    if (!(await batches.begin(batch))) return false;
    const source = `Web: ${user.name}`;
    await withLease(leaseOf(batch.id), stopping, async (held) => {
      const by = { source, address, userId: user.id, batchId: batch.id };
      let left = batch.wanted;
      let why: Why | undefined;
      async function makeSome(): Promise<void> {
        while (left > 0 && !why && !held.aborted) {
          left--;
          const made = await createVoucher(batch.order, by);
          if (!made.ok) why ??= { problem: describe(made.problem), cause: causeOf(made.problem) };
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, makeSome)).catch((error) => {
        why ??= { problem: error instanceof Error ? error.message : String(error), cause: null };
      });
      if (left > 0) why ??= { problem: INTERRUPTED, cause: null };
      const outcome = why ?? { problem: null, cause: null };
      await batches.end(batch.id, { ...outcome, source, atMs: clock.nowMs(), address });
    });
    return true;
  };
}

/** Ends what nobody is making any more. */
export function makeEndLeftBatches({
  batches,
  withLease,
  clock,
}: Pick<Needs, 'batches' | 'withLease' | 'clock'>) {
  return async function endLeftBatches(signal: AbortSignal): Promise<void> {
    for (const { id, userName } of await batches.listOpen())
      await withLease(leaseOf(id), signal, () =>
        batches.end(id, {
          problem: INTERRUPTED,
          cause: null,
          source: `Web: ${userName}`,
          atMs: clock.nowMs(),
        }),
      );
  };
}

function causeOf(problem: CreationProblem): FailureCause | null {
  if (problem.kind === 'no-valid-voucher') return 'no-voucher';
  return (problem.kind === 'creation-failed' && problem.cause) || null;
}

function leaseOf(id: string): string {
  return `batch ${id}`;
}
