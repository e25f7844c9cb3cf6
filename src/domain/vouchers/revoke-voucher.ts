// Revokes a voucher: first on the controller and then in the database, so that no voucher is shown as revoked while
// guests can still use it.

import type { AuditContext } from '../audit/audit-log.ts';
import type { Controller, ControllerFailure } from '../controller.ts';
import { REQUEST_DEADLINE_MS } from '../deadline.ts';
import type { BulkRevocationId, SiteId, VoucherId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { checkConsole } from './check-console.ts';
import type { FailedOrderStore, NoteFailedOrder } from './failed-orders.ts';
import type { UsageStore } from './usage-store.ts';

export interface Revocable {
  id: VoucherId;
  siteId: SiteId;
  /** Null if the controller's id is unknown, for example for a voucher that was moved in from another tool. */
  controllerVoucherId: string | null;
  code: string;
}

export interface RevocationStore {
  /**
   * Records the voucher as ended and revoked; false if it was already revoked. With `partOf`, also records the outcome
   * in this bulk revocation, in the same transaction.
   */
  markRevoked(voucher: Revocable, audit: AuditContext, partOf?: BulkRevocationId): Promise<boolean>;
}

/** Undefined if the voucher is revoked, otherwise the reason why not. */
export type RevokeVoucher = (
  voucher: Revocable,
  audit: AuditContext,
  partOf?: BulkRevocationId,
) => Promise<ControllerFailure | undefined>;

const WITHOUT_ID: ControllerFailure = {
  kind: 'refused',
  text: 'the controller lists the voucher without an id, so it cannot be deleted',
};

const NOTHING_LISTED: ControllerFailure = {
  kind: 'refused',
  cause: 'failed',
  text: 'the controller lists no vouchers at all, so it is not certain that this one was deleted',
};

/** True if nothing was sent, or if the controller asks for a pause. */
export const asksForPause = ({ cause }: ControllerFailure) =>
  cause === 'asks-for-pause' || cause === 'busy' || cause === 'away';

type DeletingController = Pick<Controller, 'deleteVoucher' | 'listsAny' | 'findUses' | 'forEachVoucherChunk'>;

interface Deps {
  sites: Pick<SiteStore, 'find'>;
  revocations: RevocationStore;
  usage: Pick<UsageStore, 'sampleExpected'>;
  controllerOf: (site: Site) => DeletingController;
  timeout: (ms: number) => AbortSignal;
  noteFailedOrder: NoteFailedOrder;
  failedOrders: Pick<FailedOrderStore, 'forget'>;
}

export function makeRevokeVoucher(deps: Deps): RevokeVoucher {
  const { sites, revocations, usage, controllerOf, timeout, noteFailedOrder, failedOrders } = deps;
  /**
   * The controller's ids of vouchers that this process is revoking. The controller may have deleted them already, so
   * `checkConsole` must not expect them.
   */
  const revoking = new Set<string>();

  return async function revokeVoucher(voucher, audit, partOf) {
    const { controllerVoucherId: id } = voucher;
    if (id !== null) revoking.add(id);
    try {
      const site = await sites.find(voucher.siteId);
      const failure = site && (await deleteFrom(controllerOf(site), voucher, timeout(REQUEST_DEADLINE_MS)));
      if (failure) {
        // A bulk revocation tries the voucher again after a pause.
        const isTriedAgain = partOf !== undefined && asksForPause(failure);
        const { actor, ip } = audit;
        const failed = { action: 'voucher.not-revoked' as const, count: 1, cause: failure.cause ?? null };
        if (!isTriedAgain) await noteFailedOrder({ ...failed, site, actor, ...(ip !== undefined && { ip }) });
        return failure;
      }
      await revocations.markRevoked(voucher, audit, partOf);
      await failedOrders.forget(voucher.siteId, 'voucher.not-revoked');
      return undefined;
    } finally {
      if (id !== null) revoking.delete(id);
    }
  };

  /**
   * Undefined if the controller has deleted the voucher, or if it does not have the voucher and is the right controller
   * (`checkConsole`).
   */
  async function deleteFrom(
    controller: DeletingController,
    { siteId, controllerVoucherId, code }: Revocable,
    signal: AbortSignal,
  ): Promise<ControllerFailure | undefined> {
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
    const except = new Set([...revoking, ...ids.value]);
    return checkConsole({ siteId, controller, usage, except, signal });
  }
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
