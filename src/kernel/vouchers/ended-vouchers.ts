// Vouchers whose own end has passed: Gastpass deletes them on their controller, and disconnects their devices if the
// controller can do this. If a deletion fails for any reason, it is tried again later.

import { joinSignals } from '../../platform/concurrency/join-signals.ts';
import { REQUEST_DEADLINE_MS } from '../../platform/time/deadline.ts';
import { serviceActor } from '../audit/actor.ts';
import type { TrustedTime } from '../clock-check/clock-check.ts';
import type { Controller, ControllerFailure } from '../controllers/controller.ts';
import type { SiteId, VoucherId } from '../ids.ts';
import type { Site } from '../sites/site.ts';
import { deleteUpstream } from './delete-upstream.ts';
import type { DeviceDisconnector } from './disconnect-devices.ts';
import type { Revocable } from './revoke-voucher.ts';
import type { UsageStore } from './usage-records.ts';
import type { Voucher } from './voucher.ts';

/** If a voucher is not deleted this long after its end, the overview tells administrators. */
export const OVERDUE_S = 60 * 60;

export interface EndedVoucher extends Revocable, Pick<Voucher, 'firstUsedAtS' | 'createdAtS'> {
  endsAtS: number;
  /** A sync found that the controller does not have the voucher any more. */
  isMissing: boolean;
}

/** Vouchers of a site that are overdue, and the end of the first one. */
export interface OverdueCount {
  count: number;
  endsAtS: number;
}

export interface EndedVoucherStore {
  /** The sites with vouchers whose end has passed and that their controller may still have. */
  listSites(untilS: number): Promise<SiteId[]>;
  /** The site's vouchers of this kind, by ascending id. The clock of the database, too, must have reached their end. */
  listDue(
    siteId: SiteId,
    from: { untilS: number; afterId: VoucherId; limit: number },
  ): Promise<EndedVoucher[]>;
  /** How many vouchers may still be deleted on controllers today. */
  leftToday(time: TrustedTime): Promise<number>;
  /** Records that the controller no longer has the voucher. The voucher ended at its own end. */
  markDeleted(voucher: EndedVoucher, time: TrustedTime): Promise<void>;
  /** Counts the vouchers whose end was before `endedBeforeS`. Contains only sites that have any. */
  countOverdue(endedBeforeS: number): Promise<Map<SiteId, OverdueCount>>;
}

interface Deps {
  endedVouchers: Pick<EndedVoucherStore, 'markDeleted'>;
  usage: Pick<UsageStore, 'sampleExpected'>;
  controllerOf: (site: Site) => Controller;
  devices: Pick<DeviceDisconnector, 'disconnect'>;
  timeout: (ms: number) => AbortSignal;
}

/** Undefined if the voucher is deleted, otherwise the reason why not. */
export type DeleteEnded = (
  voucher: EndedVoucher,
  options: { site: Site; time: TrustedTime; signal: AbortSignal },
) => Promise<ControllerFailure | undefined>;

/**
 * The record is changed last. If the process is killed before that, the voucher is deleted again: the controller then
 * does not have it any more, which counts as deleted.
 */
export function makeDeleteEnded({ endedVouchers, usage, controllerOf, devices, timeout }: Deps): DeleteEnded {
  return async function deleteEnded(voucher, { site, time, signal }) {
    using patience = joinSignals(signal, timeout(REQUEST_DEADLINE_MS));
    const controller = controllerOf(site);
    const failure =
      !voucher.isMissing && (await deleteUpstream({ controller, voucher, usage, signal: patience.signal }));
    if (failure) return failure;
    const audit = { actor: serviceActor('Clean-up'), atMs: time.nowMs };
    const stillOnline = (await devices.disconnect(voucher, audit))?.failure;
    // If the controller refuses to disconnect a device, repeating the call changes nothing.
    if (stillOnline && stillOnline.kind !== 'refused') return stillOnline;
    await endedVouchers.markDeleted(voucher, time);
    return undefined;
  };
}
