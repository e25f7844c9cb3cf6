// Deletes a voucher on its controller. A failed deletion can be repeated: a voucher that the controller no longer has
// counts as deleted.

import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import { checkConsole } from './check-console.ts';
import type { UsageStore } from './usage-records.ts';

const WITHOUT_ID: ControllerFailure = {
  kind: 'refused',
  text: 'the controller lists the voucher without an id, so it cannot be deleted',
};

const NOTHING_LISTED: ControllerFailure = {
  kind: 'refused',
  cause: 'failed',
  text: 'the controller lists no vouchers at all, so it is not certain that this one was deleted',
};

export type DeletingController = Pick<
  Controller,
  'deleteVoucher' | 'listsAny' | 'findUses' | 'forEachVoucherChunk'
>;

export interface DeletedVoucher {
  siteId: SiteId;
  /** Null if the controller's id is unknown, for example for a voucher that was moved in from another tool. */
  controllerVoucherId: string | null;
  code: string;
}

interface Input {
  controller: DeletingController;
  voucher: DeletedVoucher;
  usage: Pick<UsageStore, 'sampleExpected'>;
  /** The controller's ids of other vouchers that are being deleted: `checkConsole` must not expect them. */
  deleting?: ReadonlySet<string>;
  signal: AbortSignal;
}

/**
 * Undefined if the controller has deleted the voucher, or if it does not have the voucher and is the right controller
 * (`checkConsole`).
 */
export async function deleteUpstream(input: Input): Promise<ControllerFailure | undefined> {
  const { controller, voucher, usage, deleting = [], signal } = input;
  const { siteId, controllerVoucherId, code } = voucher;
  const ids =
    controllerVoucherId === null ? await findIds(controller, code, signal) : ok([controllerVoucherId]);
  if (!ids.ok) return ids.problem;
  let isDeleted = false;
  for (const id of ids.value) {
    const deletion = await controller.deleteVoucher(id, signal);
    if (!deletion.ok) return deletion.problem;
    isDeleted = deletion.value === 'deleted';
  }
  if (isDeleted) return undefined;
  const except = new Set([...deleting, ...ids.value]);
  return checkConsole({ siteId, controller, usage, except, signal });
}

/** Finds the ids by the code only. The name may differ, because it was shortened here or changed on the controller. */
async function findIds(
  controller: DeletingController,
  code: string,
  signal: AbortSignal,
): Promise<Result<string[], ControllerFailure>> {
  const ids = new Set<string>();
  let isWithoutId = false;
  let isEmpty = true;
  // Read the list a second time if nothing was found: if vouchers are deleted during a read, the pages shift and the
  // read can miss a voucher.
  for (let reads = 0; reads < 2 && ids.size === 0; reads++) {
    isEmpty = true;
    const failure = await controller.forEachVoucherChunk(async (chunk) => {
      for (const voucher of chunk) {
        isEmpty = false;
        if (voucher.code !== code) continue;
        if (voucher.controllerVoucherId === null) isWithoutId = true;
        else ids.add(voucher.controllerVoucherId);
      }
    }, signal);
    if (failure) return fail(failure);
  }
  if (isEmpty) return fail(NOTHING_LISTED);
  return isWithoutId ? fail(WITHOUT_ID) : ok([...ids]);
}
