// Deletes vouchers on their controllers when their own end has passed, and tries again after growing pauses. Does
// nothing while the clock is doubted or not settled, and stops for the day at the daily limit. Sites that are switched
// off are left alone. The clock is read before each deletion.

import type { WithLease } from '../../../platform/leases/leases.ts';
import type { Log } from '../../../platform/log/log.ts';
import { toWholeSeconds } from '../../../platform/time/clock.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { ReadTrustedTime, TrustedTime } from '../../clock-check/clock-check.ts';
import { isRefusalOfOne } from '../../controllers/controller.ts';
import { asVoucherId, type SiteId, type VoucherId } from '../../ids.ts';
import type { SettingsStore } from '../../settings/settings.ts';
import type { Site, SiteStore } from '../../sites/site.ts';
import type { DeleteEnded, EndedVoucherStore } from '../ended-vouchers.ts';

const EVERY_MS = 10_000;
const EVERY_IN_DOUBT_MS = 60_000;
const EVERY_AT_LIMIT_MS = 5 * 60_000;
const SLICE = 100;
/** After this many vouchers of a site in a row were refused, the site pauses. */
const MAX_REFUSED = 3;
const MAX_SITE_PAUSE_MS = 10 * 60_000;
/** After this time a site stops until the next turn, because the next turn waits for the slowest site. */
const MAX_SITE_TURN_MS = 60_000;
const FIRST_VOUCHER_PAUSE_MS = 60_000;
const MAX_VOUCHER_PAUSE_MS = 60 * 60_000;

interface Deps {
  sites: Pick<SiteStore, 'listActive'>;
  settings: Pick<SettingsStore, 'read'>;
  endedVouchers: Pick<EndedVoucherStore, 'listSites' | 'listDue' | 'leftToday'>;
  loadDeleteEnded: () => Promise<DeleteEnded>;
  readTrustedTime: ReadTrustedTime;
  isClockSettled: () => Promise<boolean>;
  withLease: WithLease;
  monotonicMs: () => number;
  log: Log;
}

interface Deletions {
  /** How many vouchers may still be deleted today, and whether more are due. All sites of a turn share it. */
  allowance: { left: number; isHeldBack: boolean };
  deleteEnded: DeleteEnded;
  signal: AbortSignal;
}

export function makeEndedVouchersTurn(deps: Deps) {
  const { sites, settings, endedVouchers, loadDeleteEnded, withLease, monotonicMs, log } = deps;
  const { readTrustedTime, isClockSettled } = deps;
  const sitePauses = makePauses<SiteId>(monotonicMs, { firstMs: EVERY_MS, maxMs: MAX_SITE_PAUSE_MS });
  const voucherPauses = makePauses<VoucherId>(monotonicMs, {
    firstMs: FIRST_VOUCHER_PAUSE_MS,
    maxMs: MAX_VOUCHER_PAUSE_MS,
  });
  /**
   * The voucher at which a site failed. The next turn begins after this voucher, so that a voucher at which the site
   * always fails does not keep the others waiting.
   */
  const failedAt = new Map<SiteId, VoucherId>();

  let wasHeldBack = false;

  return async function endedVouchersTurn(signal: AbortSignal): Promise<number> {
    const time = await readTrustedTime();
    if (!time) return EVERY_IN_DOUBT_MS;
    const due = new Set(await endedVouchers.listSites(toWholeSeconds(time.nowMs)));
    if (due.size === 0) return EVERY_MS;
    if (!(await isClockSettled())) return EVERY_IN_DOUBT_MS;
    await withLease('ended vouchers', signal, (held) => deleteAt(due, time, held));
    return wasHeldBack ? EVERY_AT_LIMIT_MS : EVERY_MS;
  };

  /** Sites run side by side, so that a controller that does not answer delays no other site. */
  async function deleteAt(due: Set<SiteId>, time: TrustedTime, signal: AbortSignal): Promise<void> {
    const usable = (await sites.listActive()).filter(
      ({ id, controllerKind }) => due.has(id) && controllerKind !== UNKNOWN && !sitePauses.isOn(id),
    );
    if (usable.length === 0) return;
    const { limitsDeletions } = await settings.read();
    const allowance = {
      left: limitsDeletions ? await endedVouchers.leftToday(time) : Number.POSITIVE_INFINITY,
      isHeldBack: false,
    };
    // Warn once a day: again after a day on which something was deleted.
    if (allowance.left > 0) wasHeldBack = false;
    const deleteEnded = await loadDeleteEnded();
    const done = await Promise.allSettled(
      usable.map((site) => deleteOf(site, { allowance, deleteEnded, signal })),
    );
    if (allowance.isHeldBack && !wasHeldBack)
      log.warn(
        {},
        'the daily limit of deletions is reached, so ended vouchers stay on their controllers: an administrator can lift the limit in the settings',
      );
    wasHeldBack = allowance.isHeldBack;
    // Only now: the lease must last until all sites are done.
    for (const one of done) if (one.status === 'rejected') throw one.reason;
  }

  async function deleteOf(site: Site, { allowance, deleteEnded, signal }: Deletions): Promise<void> {
    let [deleted, refused] = [0, 0];
    const untilMs = monotonicMs() + MAX_SITE_TURN_MS;
    try {
      for await (const { voucher, time } of dueVouchers(site.id, signal)) {
        if (monotonicMs() >= untilMs) return;
        // A voucher that its controller does not have is not deleted there, so it does not count.
        const counted = voucher.isMissing ? 0 : 1;
        if (allowance.left < counted) {
          allowance.isHeldBack = true;
          return;
        }
        allowance.left -= counted;
        const failure = await deleteEnded(voucher, { site, time, signal });
        if (signal.aborted && failure) return;
        if (!failure) {
          deleted++;
          refused = 0;
          sitePauses.end(site.id);
          voucherPauses.end(voucher.id);
          continue;
        }
        allowance.left += counted;
        log.warn(
          { siteId: site.id, voucherId: voucher.id, failure },
          'a voucher was not deleted on the controller after its end, will try again',
        );
        if (isRefusalOfOne(failure)) {
          voucherPauses.begin(voucher.id);
          refused++;
          if (refused < MAX_REFUSED) continue;
        }
        sitePauses.begin(site.id);
        failedAt.set(site.id, voucher.id);
        return;
      }
    } finally {
      if (deleted > 0)
        log.info({ siteId: site.id, deleted }, 'vouchers deleted on the controller after their end');
    }
  }

  /** Stops if the clock becomes doubtful, jumps or is set back. */
  async function* dueVouchers(siteId: SiteId, signal: AbortSignal) {
    let afterId = failedAt.get(siteId) ?? asVoucherId(0);
    failedAt.delete(siteId);
    while (true) {
      const first = await readTrustedTime();
      if (!first) return;
      const from = { untilS: toWholeSeconds(first.nowMs), afterId, limit: SLICE };
      const slice = await endedVouchers.listDue(siteId, from);
      for (const voucher of slice) {
        const time = await readTrustedTime();
        if (signal.aborted || !time || !(await isClockSettled())) return;
        if (time.nowMs < voucher.endsAtS * 1000) return;
        if (!voucherPauses.isOn(voucher.id)) yield { voucher, time };
        afterId = voucher.id;
      }
      if (slice.length < SLICE) return;
    }
  }
}

/** Pauses that double with every failure. A pause that ended long ago is forgotten. */
function makePauses<Id>(monotonicMs: () => number, { firstMs, maxMs }: { firstMs: number; maxMs: number }) {
  const known = new Map<Id, { failures: number; untilMs: number }>();
  return {
    isOn: (id: Id) => (known.get(id)?.untilMs ?? 0) > monotonicMs(),
    begin(id: Id): void {
      const nowMs = monotonicMs();
      for (const [other, { untilMs }] of known) if (untilMs < nowMs - maxMs) known.delete(other);
      const failures = (known.get(id)?.failures ?? 0) + 1;
      known.set(id, { failures, untilMs: nowMs + Math.min(maxMs, firstMs * 2 ** (failures - 1)) });
    },
    end: (id: Id) => known.delete(id),
  };
}
