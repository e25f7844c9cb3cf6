// Revokes a voucher: first on the controller and then in the database, so that no voucher is shown as revoked while
// guests can still use it.

import { REQUEST_DEADLINE_MS } from '../../platform/time/deadline.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { ControllerFailure } from '../controllers/controller.ts';
import type { BulkRevocationId, VoucherId } from '../ids.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { type DeletedVoucher, type DeletingController, deleteUpstream } from './delete-upstream.ts';
import type { FailedOrderStore, NoteFailedOrder } from './failed-orders.ts';
import type { UsageStore } from './usage-records.ts';

export interface Revocable extends DeletedVoucher {
  id: VoucherId;
}

export interface RevocationStore {
  /**
   * Records the voucher as ended and revoked; false if it was already revoked or has expired. With `partOf`, also
   * records the outcome in this bulk revocation, in the same transaction.
   */
  markRevoked(voucher: Revocable, audit: AuditContext, partOf?: BulkRevocationId): Promise<boolean>;
}

/** Undefined if the voucher is revoked, otherwise the reason why not. */
export type RevokeVoucher = (
  voucher: Revocable,
  audit: AuditContext,
  partOf?: BulkRevocationId,
) => Promise<ControllerFailure | undefined>;

/** True if nothing was sent, or if the controller asks for a pause. */
export const asksForPause = ({ cause }: ControllerFailure) =>
  cause === 'asks-for-pause' || cause === 'busy' || cause === 'away';

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
      const failure = site && (await deleteFrom(controllerOf(site), voucher));
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
  function deleteFrom(controller: DeletingController, voucher: Revocable) {
    const signal = timeout(REQUEST_DEADLINE_MS);
    return deleteUpstream({ controller, voucher, usage, deleting: revoking, signal });
  }
}
