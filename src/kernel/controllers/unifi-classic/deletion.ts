// Deletes vouchers on a classic controller and checks that they are gone: the controller also responds with "ok" to an
// unknown id. If possible, lists only the vouchers that were created in the same second as the deleted one, because the
// complete list may have tens of thousands of vouchers.

import { setTimeout as sleep } from 'node:timers/promises';
import { makeSharedReads } from '../../../platform/concurrency/shared-reads.ts';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { Controller, ControllerFailure, OnVoucherChunk } from '../controller.ts';
import type { CallOptions } from '../upstream/call-limiter.ts';
import { asRepeatable, outcomeUnknown, refused, unreachable } from '../upstream/failures.ts';
import { within } from '../upstream/within.ts';

const READ_SECOND_MS = 10_000;
const READ_ALL_MS = 120_000;
/** How many times the list is read at most: a deleted voucher may stay in the list for a moment. */
const LOOKS = 5;
const PAUSE_BETWEEN_LOOKS_MS = 250;
/** How many vouchers `listsAny` looks up one by one before it reads the complete list. */
const MAX_SINGLE_LOOKUPS = 3;

const LATE = unreachable('too-slow', 'the controller did not list its vouchers in time');
const STILL_LISTED = refused(
  'refused',
  'the controller said that it deleted the voucher, but still lists it',
);
const NOTHING_LISTED = outcomeUnknown(
  'failed',
  'the controller lists no vouchers at all, so it is not certain that this one was deleted',
);

interface Deps {
  sendDeletion(controllerVoucherId: string, options: CallOptions): Promise<ControllerFailure | undefined>;
  /**
   * Passes the vouchers that were created in one second, or all vouchers, to `onChunk`. Returns undefined if the list
   * was read to its end.
   */
  readVouchers(
    createTimeS: number | undefined,
    onChunk: OnVoucherChunk,
    options: CallOptions,
  ): Promise<ControllerFailure | undefined>;
}

type Scope = number | 'all';
type Ids = Result<ReadonlySet<string>, ControllerFailure>;

export function makeClassicDeletion({
  sendDeletion,
  readVouchers,
}: Deps): Pick<Controller, 'deleteVoucher' | 'listsAny'> {
  // Deletions that read the same list at the same time share one call.
  const readShared = makeSharedReads(readIds);

  return {
    async deleteVoucher(id, signal) {
      const found = await findVoucher(id, signal);
      if (!found.ok) return found;
      const failure = await sendDeletion(id, { signal, priority: 'create' });
      if (failure) return fail(failure);
      for (let look = 1; ; look++) {
        const listed = await listIds(found.value ?? 'all', signal);
        if (!listed.ok) return fail({ ...listed.problem, kind: 'outcome-unknown' });
        if (!listed.value.has(id))
          return judgeAbsence({ wasListed: found.value !== undefined, isEmpty: listed.value.size === 0 });
        if (look === LOOKS) return fail(STILL_LISTED);
        await sleep(PAUSE_BETWEEN_LOOKS_MS);
      }
    },

    async listsAny(ids, signal) {
      for (const id of ids.slice(0, MAX_SINGLE_LOOKUPS)) {
        const second = await findSecond(id, signal);
        if (!second.ok) return second;
        if (second.value !== undefined) return ok(true);
      }
      const listed = await listIds('all', signal);
      return listed.ok ? ok(ids.some((id) => listed.value.has(id))) : listed;
    },
  };

  /** Finds the second under which the controller lists the voucher. Undefined if it is none of the likely seconds. */
  async function findSecond(
    id: string,
    signal: AbortSignal,
  ): Promise<Result<number | undefined, ControllerFailure>> {
    for (const second of likelySeconds(id)) {
      const listed = await listIds(second, signal);
      if (!listed.ok) return listed;
      if (listed.value.has(id)) return ok(second);
    }
    return ok(undefined);
  }

  /**
   * Finds the shorter list that contains the voucher: the list of one second, or the list of all vouchers. Undefined if
   * neither list contains it.
   */
  async function findVoucher(
    id: string,
    signal: AbortSignal,
  ): Promise<Result<Scope | undefined, ControllerFailure>> {
    const second = await findSecond(id, signal);
    if (!second.ok || second.value !== undefined) return second;
    const all = await listIds('all', signal);
    return all.ok ? ok(all.value.has(id) ? 'all' : undefined) : all;
  }

  async function listIds(scope: Scope, signal: AbortSignal): Promise<Ids> {
    return within<Ids>(signal, () => readShared(scope), fail(LATE));
  }

  async function readIds(scope: Scope): Promise<Ids> {
    const ids = new Set<string>();
    const isAll = scope === 'all';
    const failure = await readVouchers(
      isAll ? undefined : scope,
      async (chunk) => {
        for (const { controllerVoucherId } of chunk)
          if (controllerVoucherId !== null) ids.add(controllerVoucherId);
      },
      { signal: AbortSignal.timeout(isAll ? READ_ALL_MS : READ_SECOND_MS), priority: 'create' },
    );
    return failure ? fail(asRepeatable(failure)) : ok(ids);
  }
}

/**
 * A restarting controller returns empty lists. So an empty list is a failure if the voucher was not listed before, and
 * otherwise counts as `absent`, not as `deleted`.
 */
function judgeAbsence({ wasListed, isEmpty }: { wasListed: boolean; isEmpty: boolean }) {
  if (!wasListed && isEmpty) return fail(NOTHING_LISTED);
  return ok(wasListed && !isEmpty ? ('deleted' as const) : ('absent' as const));
}

/**
 * An id is a MongoDB ObjectId and begins with the second of its creation. Vouchers that are created together are listed
 * under the second of the first one, which may be a second earlier.
 */
function likelySeconds(id: string): number[] {
  if (!/^[\da-f]{24}$/i.test(id)) return [];
  const second = Number.parseInt(id.slice(0, 8), 16);
  return [second, second - 1];
}
