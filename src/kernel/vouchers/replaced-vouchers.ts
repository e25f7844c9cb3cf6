// Revokes vouchers that a newer one replaces: at once, by the request that ordered the newer one, or later by a worker
// if the controller could not be reached or the process was killed.

import type { Log } from '../../platform/log/log.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Actor } from '../audit/actor.ts';
import type { SiteId, VoucherId } from '../ids.ts';
import type { Revocable, RevokeVoucher } from './revoke-voucher.ts';

/** How long a site is left alone after a failed revocation. */
const PAUSE_MS = 30_000;

/** A voucher that still has to be revoked. */
export interface ReplacedVoucher extends Revocable {
  /** The API key that has ordered both vouchers. */
  actor: Actor;
}

export interface ReplacedVoucherStore {
  /**
   * The replaced vouchers that still live, at active sites that are not in `pausedSites`. With an id, only this voucher
   * and those that it replaces.
   */
  listLiving(of: { id?: VoucherId; pausedSites?: SiteId[] }): Promise<ReplacedVoucher[]>;
  /** The vouchers that this one replaces. A voucher that has ended in another way needs no revocation. */
  listReplacedBy(id: VoucherId): Promise<{ id: VoucherId; isLiving: boolean }[]>;
}

interface Deps {
  replacedVouchers: ReplacedVoucherStore;
  revokeVoucher: RevokeVoucher;
  clock: Clock;
  monotonicMs: () => number;
  log: Log;
}

/** With the id of a new voucher, revokes what it replaces; without an id, all that is left. Failures are logged. */
export type RevokeReplaced = (id?: VoucherId, signal?: AbortSignal) => Promise<void>;

export function makeRevokeReplaced(deps: Deps): RevokeReplaced {
  const { replacedVouchers, revokeVoucher, clock, monotonicMs, log } = deps;
  const pausedUntilMs = new Map<SiteId, number>();
  const active = new Set<VoucherId>();

  return async function revokeReplaced(id, signal) {
    for (const [siteId, untilMs] of pausedUntilMs) if (monotonicMs() >= untilMs) pausedUntilMs.delete(siteId);
    const living = await replacedVouchers.listLiving(
      id === undefined ? { pausedSites: [...pausedUntilMs.keys()] } : { id },
    );
    // Sites run side by side, so that a controller that does not answer delays no other site.
    const sites = await Promise.allSettled(
      [...Map.groupBy(living, ({ siteId }) => siteId).values()].map((ofSite) => revokeOfSite(ofSite, signal)),
    );
    for (const site of sites) if (site.status === 'rejected') throw site.reason;
  };

  async function revokeOfSite(vouchers: ReplacedVoucher[], signal?: AbortSignal): Promise<void> {
    for (const { actor, ...voucher } of vouchers) {
      const { id: voucherId, siteId } = voucher;
      if (signal?.aborted) return;
      // The worker and a request may want to revoke the same voucher.
      if (active.has(voucherId)) continue;
      active.add(voucherId);
      try {
        const failure = await revokeVoucher(voucher, { actor, atMs: clock.nowMs() });
        if (failure) {
          pausedUntilMs.set(siteId, monotonicMs() + PAUSE_MS);
          log.warn({ siteId, voucherId, failure }, 'a replaced voucher was not revoked yet, will try again');
          return;
        }
        log.info({ siteId, voucherId }, 'a replaced voucher was revoked');
      } finally {
        active.delete(voucherId);
      }
    }
  }
}
