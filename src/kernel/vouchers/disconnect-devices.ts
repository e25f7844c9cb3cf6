// Disconnects the devices that are online with a revoked voucher, if its controller can do this. A failure does not
// undo the revocation.

import type { Log } from '../../platform/log/log.ts';
import { siteDetails } from '../audit/audit-details.ts';
import type { AuditContext, NoteAudit } from '../audit/audit-log.ts';
import type { Controller, Disconnection } from '../controllers/controller.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import type { Revocable } from './revoke-voucher.ts';
import type { Voucher } from './voucher.ts';

const TIMEOUT_MS = 10_000;

type UsedVoucher = Pick<Revocable, 'id' | 'siteId' | 'controllerVoucherId'> &
  Pick<Voucher, 'firstUsedAtS' | 'createdAtS'>;

export interface DeviceDisconnector {
  /** False if the controller of the site cannot disconnect devices, or does not know the voucher by an id. */
  canDisconnect(voucher: UsedVoucher): Promise<boolean>;
  /** Undefined if the controller cannot disconnect them. */
  disconnect(voucher: UsedVoucher, audit: AuditContext): Promise<Disconnection | undefined>;
}

interface Deps {
  sites: Pick<SiteStore, 'find'>;
  controllerOf: (site: Site) => Pick<Controller, 'disconnectDevices'>;
  noteAudit: NoteAudit;
  timeout: (ms: number) => AbortSignal;
  log: Log;
}

export function makeDeviceDisconnector(deps: Deps): DeviceDisconnector {
  const { sites, controllerOf, noteAudit, timeout, log } = deps;

  return {
    async canDisconnect({ siteId, controllerVoucherId }) {
      const site = await sites.find(siteId);
      return (
        controllerVoucherId !== null &&
        site !== undefined &&
        controllerOf(site).disconnectDevices !== undefined
      );
    },

    async disconnect(voucher, audit) {
      const { id, siteId, controllerVoucherId, firstUsedAtS, createdAtS } = voucher;
      const site = await sites.find(siteId);
      if (!site || controllerVoucherId === null) return undefined;
      const usedForMs = audit.atMs - (firstUsedAtS ?? createdAtS) * 1000;
      const result = await controllerOf(site).disconnectDevices?.(
        { controllerVoucherId, usedForMs },
        timeout(TIMEOUT_MS),
      );
      if (!result) return undefined;
      const { count, failure } = result;
      if (failure) log.warn({ siteId, voucherId: id, count, failure }, 'devices perhaps not disconnected');
      const details = { voucher: String(id), ...siteDetails(siteId, site.name), count };
      if (count > 0) await noteAudit({ ...audit, action: 'voucher.disconnected', details });
      return result;
    },
  };
}
