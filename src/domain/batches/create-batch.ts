// Creates the vouchers of a batch, up to 100 per call, until the batch is complete or a call fails. Every created
// voucher is recorded with its batch. A batch that a crash left unfinished is ended with the vouchers it has.

import { userActor } from '../audit/actor.ts';
import type { Clock } from '../clock.ts';
import { type FailureCause, MAX_VOUCHERS_PER_CALL } from '../controller.ts';
import { textForCallers } from '../database-error.ts';
import type { WithLease } from '../leases/leases.ts';
import { toOneLine } from '../one-line.ts';
import type { CreationProblem } from '../problem.ts';
import type { User } from '../users/user.ts';
import type { CreateVouchers } from '../vouchers/create-vouchers.ts';
import type { Batch, BatchStore, NewBatch } from './batch.ts';

const INTERRUPTED = 'interrupted';

/** Resolves to true when the batch has ended, or to false at once if a batch with this id already exists. */
export type CreateBatch = (
  batch: NewBatch,
  user: User,
  request: { ip: string; requestId: string },
) => Promise<boolean>;

type Why = Pick<Batch, 'problem' | 'cause'>;

interface Deps {
  batches: BatchStore;
  createVouchers: CreateVouchers;
  withLease: WithLease;
  clock: Clock;
  /** Aborts when the service stops; the batch then ends with the vouchers it has. */
  stopping: AbortSignal;
}

export function makeBatchCreator(deps: Deps): CreateBatch {
  const { batches, createVouchers, withLease, clock, stopping } = deps;

  return async function createBatch(batch, user, { ip, requestId }) {
    if (!(await batches.begin(batch))) return false;
    const actor = userActor(user);
    await withLease(leaseOf(batch.id), stopping, async (held) => {
      const by = { actor, ip, requestId, userId: user.id, batchId: batch.id };
      const why = await createAll().catch((error) => ({
        problem: textForCallers(error),
        cause: null,
      }));
      const outcome = why ?? { problem: null, cause: null };
      await batches.end(batch.id, { ...outcome, actor, atMs: clock.nowMs(), ip });

      async function createAll(): Promise<Why | undefined> {
        for (let left = batch.wanted; left > 0; ) {
          if (held.aborted) return { problem: INTERRUPTED, cause: null };
          const count = Math.min(left, MAX_VOUCHERS_PER_CALL);
          const { problem } = await createVouchers(batch.order, count, by);
          if (problem) return { problem: storedProblem(problem), cause: causeOf(problem) };
          left -= count;
        }
        return undefined;
      }
    });
    return true;
  };
}

/** Ends batches that no process is creating any more. Their missing vouchers are not created. */
export function makeEndLeftBatches({
  batches,
  withLease,
  clock,
}: Pick<Deps, 'batches' | 'withLease' | 'clock'>) {
  return async function endLeftBatches(signal: AbortSignal): Promise<void> {
    for (const { id, user } of await batches.listOpen())
      await withLease(leaseOf(id), signal, () =>
        batches.end(id, {
          problem: INTERRUPTED,
          cause: null,
          actor: userActor(user),
          atMs: clock.nowMs(),
        }),
      );
  };
}

/** For a failed call, the technical text. For other problems, the kind, which pages turn into a sentence. */
function storedProblem(problem: CreationProblem): string {
  return problem.kind === 'creation-failed' ? toOneLine(problem.text) : problem.kind;
}

function causeOf(problem: CreationProblem): FailureCause | null {
  if (problem.kind === 'no-valid-voucher') return 'no-voucher';
  if (problem.kind === 'controller-busy') return 'busy';
  return (problem.kind === 'creation-failed' && problem.cause) || null;
}

function leaseOf(id: string): string {
  return `batch ${id}`;
}
