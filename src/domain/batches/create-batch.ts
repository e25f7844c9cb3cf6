// Creates the vouchers of a batch, up to 100 per call, until the batch is complete or a call fails. Every created
// voucher is recorded with its batch. A batch that a crash left unfinished is ended with the vouchers it has.

import { userActor } from '../audit/actor.ts';
import type { Clock } from '../clock.ts';
import { MAX_VOUCHERS_PER_CALL } from '../controller.ts';
import { textForCallers } from '../database-error.ts';
import type { WithLease } from '../leases/leases.ts';
import type { RefuseMails } from '../mail/order-mail.ts';
import { toOneLine } from '../one-line.ts';
import { type CreationProblem, causeOf } from '../problem.ts';
import type { ReserveProblem } from '../stock/hand-out-reserve.ts';
import type { User } from '../users/user.ts';
import type { VoucherOrder } from '../vouchers/voucher-order.ts';
import type { OrderedBy } from '../vouchers/voucher-store.ts';
import type { Batch, BatchStore, NewBatch } from './batch.ts';

const INTERRUPTED = 'interrupted';

/** Resolves to true when the batch has ended, or to false at once if a batch with this id already exists. */
export type CreateBatch = (batch: NewBatch, user: User, request: Request) => Promise<boolean>;

interface Request {
  ip: string;
  requestId: string;
}

/** Creates `count` vouchers on the controller, or hands them out from the reserve. */
type GetVouchers = (
  order: VoucherOrder,
  count: number,
  by: OrderedBy,
) => Promise<{ problem?: CreationProblem | ReserveProblem }>;

type Why = Pick<Batch, 'problem' | 'cause'>;

interface Deps {
  batches: BatchStore;
  createVouchers: GetVouchers;
  /** Keeps a batch from ending with only some of its vouchers because the others are too many mails. */
  refuseMails: RefuseMails;
  withLease: WithLease;
  clock: Clock;
  /** Aborts when the service stops; the batch then ends with the vouchers it has. */
  stopping: AbortSignal;
}

export function makeBatchCreator(deps: Deps): CreateBatch {
  const { batches, withLease, stopping } = deps;
  const fillBatch = makeFillBatch(deps);

  return async function createBatch(batch, user, request) {
    if (!(await batches.begin(batch))) return false;
    const by = { ...request, actor: userActor(user), userId: user.id };
    await withLease(leaseOf(batch), stopping, (held) => fillBatch(batch, by, held));
    return true;
  };
}

/** Creates the vouchers of a batch that an API key has ordered and that has begun already. */
export type FillBatch = (batch: NewBatch, by: OrderedBy) => Promise<void>;

export function makeBatchFiller(deps: Deps): FillBatch {
  const { withLease, stopping } = deps;
  const fillBatch = makeFillBatch(deps);

  return async function fillUnderLease(batch, by) {
    await withLease(leaseOf(batch), stopping, (held) => fillBatch(batch, by, held));
  };
}

/** Creates the vouchers of all batches of a replacement, one batch after the other. The batches have begun already. */
export type CreateReplacement = (batches: NewBatch[], user: User, request: Request) => Promise<void>;

export function makeReplacementCreator(deps: Deps): CreateReplacement {
  const { withLease, stopping } = deps;
  const fillBatch = makeFillBatch(deps);

  return async function createReplacement(batches, user, request) {
    const [first] = batches;
    if (!first) return;
    const by = { ...request, actor: userActor(user), userId: user.id };
    await withLease(leaseOf(first), stopping, async (held) => {
      for (const batch of batches) await fillBatch(batch, by, held);
    });
  };
}

/** Creates the vouchers of a batch that has begun, and ends the batch. `held` aborts when the lease is lost. */
function makeFillBatch({
  batches,
  createVouchers,
  refuseMails,
  clock,
}: Pick<Deps, 'batches' | 'createVouchers' | 'refuseMails' | 'clock'>) {
  return async function fillBatch(batch: NewBatch, ordered: OrderedBy, held: AbortSignal): Promise<void> {
    const { actor, ip } = ordered;
    const by = { ...ordered, batchId: batch.id };
    const why = await createAll().catch((error) => ({
      problem: textForCallers(error),
      cause: null,
    }));
    const outcome = why ?? { problem: null, cause: null };
    await batches.end(batch.id, { ...outcome, actor, atMs: clock.nowMs(), ...(ip !== undefined && { ip }) });

    async function createAll(): Promise<Why | undefined> {
      const { order, wanted } = batch;
      const refusal = await refuseMails(order, { actor, count: wanted });
      if (refusal) return { problem: storedProblem(refusal), cause: null };
      for (let left = wanted; left > 0; ) {
        if (held.aborted) return { problem: INTERRUPTED, cause: null };
        const count = Math.min(left, MAX_VOUCHERS_PER_CALL);
        const { problem } = await createVouchers(order, count, by);
        if (problem) return { problem: storedProblem(problem), cause: causeOf(problem) };
        left -= count;
      }
      return undefined;
    }
  };
}

/** Ends batches that no process is creating any more. Their missing vouchers are not created. */
export function makeEndLeftBatches({
  batches,
  withLease,
  clock,
}: Pick<Deps, 'batches' | 'withLease' | 'clock'>) {
  return async function endLeftBatches(signal: AbortSignal): Promise<void> {
    for (const [lease, open] of Map.groupBy(await batches.listOpen(), leaseOf))
      await withLease(lease, signal, async () => {
        for (const { id, createdBy } of open)
          await batches.end(id, {
            problem: INTERRUPTED,
            cause: null,
            actor: createdBy,
            atMs: clock.nowMs(),
          });
      });
  };
}

/** For a failed call, the technical text. For other problems, the kind, which pages turn into a sentence. */
function storedProblem(problem: CreationProblem | ReserveProblem): string {
  return 'text' in problem && problem.text ? toOneLine(problem.text) : problem.kind;
}

/** The batches of a replacement share a lease, because one process creates them in turn. */
function leaseOf({ id, replacementId }: Pick<NewBatch, 'id' | 'replacementId'>): string {
  return replacementId === undefined ? `batch ${id}` : `replacement ${replacementId}`;
}
