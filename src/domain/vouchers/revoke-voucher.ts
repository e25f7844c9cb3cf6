// Revokes a voucher: first on the controller, so that no voucher is reported as revoked while guests can still use it.

import type { AuditContext } from '../audit/audit-log.ts';
import type { Controller, ControllerFailure } from '../controller.ts';
import type { RevocationId, SiteId, VoucherId } from '../ids.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { REQUEST_DEADLINE_MS } from './settle-intents.ts';

export interface Revocable {
  id: VoucherId;
  siteId: SiteId;
  controllerVoucherId: string | null;
}

export interface RevocationStore {
  /**
   * Ends the voucher in the database for good; false if it was already revoked. As part of a bulk revocation, its
   * outcome is recorded in the same transaction.
   */
  markRevoked(voucher: Revocable, audit: AuditContext, partOf?: RevocationId): Promise<boolean>;
}

/** Undefined if the voucher is revoked, otherwise the reason why not. */
export type RevokeVoucher = (
  voucher: Revocable,
  audit: AuditContext,
  partOf?: RevocationId,
) => Promise<ControllerFailure | undefined>;

interface Deps {
  sites: Pick<SiteStore, 'find'>;
  revocations: RevocationStore;
  controllerOf: (site: Site) => Controller;
  timeout: (ms: number) => AbortSignal;
}

export function makeRevokeVoucher({ sites, revocations, controllerOf, timeout }: Deps): RevokeVoucher {
  return async function revokeVoucher(voucher, audit, partOf) {
    const site = await sites.find(voucher.siteId);
    if (site && voucher.controllerVoucherId !== null) {
      const signal = timeout(REQUEST_DEADLINE_MS);
      const failure = await controllerOf(site).deleteVoucher(voucher.controllerVoucherId, signal);
      if (failure) return failure;
    }
    await revocations.markRevoked(voucher, audit, partOf);
    return undefined;
  };
}
