// Creates the vouchers of a batch, up to 100 per call, until the batch is complete. Every created voucher is recorded
// with its batch. A batch goes on by itself after the service was stopped or killed, and after a failure of the
// controller that may pass. It never gets more vouchers than wanted: see `begin` in voucher-store.ts.

import type { WithLease } from '../../platform/leases/leases.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { textForCallers } from '../../platform/values/database-error.ts';
import { DatabaseUnavailable } from '../../platform/values/database-unavailable.ts';
import { userActor } from '../audit/actor.ts';
import { isCertificateCause, MAX_VOUCHERS_PER_CALL } from '../controllers/controller.ts';
import { causeOf, type FailedCall } from '../problem.ts';
import type { MayOrder } from '../sites/sites-for.ts';
import type { User } from '../users/user.ts';
import type { RefuseMany } from '../vouchers/hand-over-way.ts';
import type { VoucherOrder } from '../vouchers/voucher-order.ts';
import type { OrderedBy } from '../vouchers/voucher-records.ts';
import type { Batch, BatchStore, NewBatch, OpenBatch, Why } from './batch.ts';

const COMPLETE: Why = { problem: null, cause: null };
const INTERRUPTED: Why = { problem: 'interrupted', cause: null };
const NOT_ALLOWED: Why = { problem: 'not-allowed', cause: null };
const MAIL_UNREADABLE: Why = { problem: 'mail-unreadable', cause: null };

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/** How often to check whether the open orders of a batch were settled. */
const SETTLING_PAUSE_MS = 2_000;

/** Resolves to true when the batch has ended, or to false at once if a batch with this id already exists. */
export type CreateBatch = (batch: NewBatch, user: User, request: Request) => Promise<boolean>;

interface Request {
  ip: string;
  requestId: string;
}

/** What a batch needs to know about the problem of an order, which may also come from a feature. */
interface BatchProblem extends Partial<Omit<FailedCall, 'controllerUrl'>> {
  kind: string;
  retryAfterS?: number;
}

/** Creates `count` vouchers on the controller, or hands them out from the reserve. */
type GetVouchers = (order: VoucherOrder, count: number, by: OrderedBy) => Promise<{ problem?: BatchProblem }>;

export interface FillDeps {
  batches: BatchStore;
  createVouchers: GetVouchers;
  /** Asked before a batch that has waited orders further vouchers. */
  mayOrder: MayOrder;
  /** Keeps a batch from ending with only some of its vouchers because the others are too many mails. */
  refuseMany: RefuseMany;
  withLease: WithLease;
  clock: Clock;
  /** Resolves after this time, or when the signal aborts. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** Aborts when the service stops. The batch stays open and goes on after the restart, or in another instance. */
  stopping: AbortSignal;
}

export function makeBatchCreator(deps: FillDeps): CreateBatch {
  const { batches, withLease, stopping } = deps;
  const fillBatch = makeFillBatch(deps);

  return async function createBatch(batch, user, request) {
    const by = { ...request, actor: userActor(user), userId: user.id };
    // The lease comes first: otherwise the worker could go on with the batch, and the user would not wait for it.
    const isNew = await withLease(leaseOf(batch), stopping, async (held) => {
      if (!(await batches.begin(batch))) return false;
      await fillBatch(batch, by, held);
      return true;
    });
    return isNew ?? false;
  };
}

/** Creates the vouchers of a batch that an API key has ordered and that has begun already. */
export type FillBatch = (batch: NewBatch, by: OrderedBy) => Promise<void>;

export function makeBatchFiller(deps: FillDeps): FillBatch {
  const { withLease, stopping } = deps;
  const fillBatch = makeFillBatch(deps);

  return async function fillUnderLease(batch, by) {
    await withLease(leaseOf(batch), stopping, (held) => fillBatch(batch, by, held));
  };
}

/** Creates the vouchers of all batches of a replacement, one batch after the other. The batches have begun already. */
export type CreateReplacement = (batches: NewBatch[], user: User, request: Request) => Promise<void>;

export function makeReplacementCreator(deps: FillDeps): CreateReplacement {
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

/** Goes on with the batches that no process is filling. The returned promises end when their batches do. */
export function makeContinueBatches(deps: FillDeps) {
  const { batches, withLease, clock, stopping } = deps;
  const fillBatch = makeFillBatch(deps);

  return async function continueBatches(): Promise<Promise<unknown>[]> {
    const open = await batches.listOpen();
    if (stopping.aborted) return [];
    return [...Map.groupBy(open, leaseOf)].map(([lease, group]) =>
      withLease(lease, stopping, async (held) => {
        for (const one of group) await goOn(one, held);
      }),
    );
  };

  async function goOn({ id, createdBy: actor, goesOn }: OpenBatch, held: AbortSignal): Promise<void> {
    const batch = await batches.find(id);
    if (!batch || batch.endedAtMs !== null || held.aborted) return;
    if (!goesOn || batch.isMailUnreadable) {
      const why = goesOn ? MAIL_UNREADABLE : INTERRUPTED;
      return batches.end(id, { ...why, actor, atMs: clock.nowMs() });
    }
    const { userId, problem, cause } = batch;
    const waitsFor = problem === null ? INTERRUPTED : { problem, cause };
    await fillBatch(batch, { actor, ...(userId !== undefined && { userId }) }, held, waitsFor);
  }
}

/**
 * Creates the vouchers of a batch that has begun, and ends the batch. `held` aborts when the service stops or the lease
 * is lost; the batch then stays open. `waitsFor` is the reason why the batch was left open.
 */
function makeFillBatch({ batches, createVouchers, mayOrder, refuseMany, clock, pause }: FillDeps) {
  return async function fillBatch(
    batch: NewBatch,
    ordered: OrderedBy,
    held: AbortSignal,
    waitsFor?: Why,
  ): Promise<void> {
    const { id, order, wanted, replacementId } = batch;
    const { actor, ip } = ordered;
    // A guest is waiting for a single voucher. So a failure ends the batch at once, and staff decide.
    const isPatient = wanted > 1 || replacementId !== undefined;
    const outcome = await fill().catch((error): Why => {
      if (error instanceof DatabaseUnavailable) throw error;
      return { problem: textForCallers(error), cause: null };
    });
    if (outcome)
      await batches.end(id, { ...outcome, actor, atMs: clock.nowMs(), ...(ip !== undefined && { ip }) });

    /** Undefined if the batch stays open, or was ended by another process. */
    async function fill(): Promise<Why | undefined> {
      let failures = 0;
      for (let isFirst = true; ; ) {
        const progress = await batches.findProgress(id);
        if (!progress) return undefined;
        const { missing, unsettled, isOver } = progress;
        if (missing === 0 && unsettled === 0) return COMPLETE;
        if (held.aborted) return undefined;
        if (waitsFor && isOver) return waitsFor;
        if (missing === 0) {
          waitsFor ??= INTERRUPTED;
          await pause(SETTLING_PAUSE_MS, held);
          continue;
        }
        if (waitsFor && !(await mayOrder(actor, order.siteId))) return NOT_ALLOWED;
        const refusal = isFirst && (await refuseMany(order, { actor, count: missing }));
        if (refusal) return toWhy(refusal);
        isFirst = false;

        const count = Math.min(missing, MAX_VOUCHERS_PER_CALL);
        const { problem } = await createVouchers(order, count, { ...ordered, batchId: id });
        if (!problem) {
          failures = 0;
          if (waitsFor) await batches.noteWait(id, COMPLETE);
          waitsFor = undefined;
          continue;
        }
        waitsFor = toWhy(problem);
        if (!isPatient || !mayPass(problem)) return waitsFor;
        await batches.noteWait(id, waitsFor);
        await pause(pauseAfter(problem, failures++), held);
      }
    }
  };
}

/** Whether the same order may succeed later without anybody doing something about the problem. */
function mayPass(problem: BatchProblem): boolean {
  if (problem.kind === 'controller-busy') return true;
  return (
    problem.kind === 'creation-failed' && problem.failure !== 'refused' && !isCertificateCause(problem.cause)
  );
}

/** As long as the controller asks for, and longer after each failure in a row. */
function pauseAfter(problem: BatchProblem, failures: number): number {
  const wantedMs = 'retryAfterS' in problem ? problem.retryAfterS * 1_000 : 0;
  return Math.max(wantedMs, Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures));
}

function toWhy(problem: BatchProblem): Why {
  return { problem: storedProblem(problem), cause: causeOf(problem) };
}

/** For a failed call, the technical text. For other problems, the kind, which pages turn into a sentence. */
function storedProblem(problem: BatchProblem): string {
  return 'text' in problem && problem.text ? toOneLine(problem.text) : problem.kind;
}

/** The batches of a replacement share a lease, because one process creates them in turn. */
function leaseOf({ id, replacementId }: Pick<Batch, 'id' | 'replacementId'>): string {
  return replacementId === undefined ? `batch ${id}` : `replacement ${replacementId}`;
}
