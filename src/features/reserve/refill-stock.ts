// Fills the stock of a site up to what is wanted, and takes vouchers off the controller that must leave the stock.
// Under a lease, so that two instances do not fill it twice.

import { serviceActor } from '../../kernel/audit/actor.ts';
import type { ReadTrustedTime } from '../../kernel/clock-check/clock-check.ts';
import type { Controller } from '../../kernel/controllers/controller.ts';
import { isRefusalOfOne } from '../../kernel/controllers/controller.ts';
import type { SiteId } from '../../kernel/ids.ts';
import type { FindOutdated } from '../../kernel/instances/known-since.ts';
import type { ProfileStore } from '../../kernel/profiles/profile.ts';
import type { Site, SiteStore } from '../../kernel/sites/site.ts';
import { isFailing, type SyncStore } from '../../kernel/sites/site-sync.ts';
import type { StockVoucher } from '../../kernel/stock/stock-voucher.ts';
import type { CreateVouchers } from '../../kernel/vouchers/create-vouchers.ts';
import { deleteUpstream } from '../../kernel/vouchers/delete-upstream.ts';
import type { UsageStore } from '../../kernel/vouchers/usage-records.ts';
import type { VoucherStore } from '../../kernel/vouchers/voucher-records.ts';
import { joinSignals } from '../../platform/concurrency/join-signals.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import type { Log } from '../../platform/log/log.ts';
import { REQUEST_DEADLINE_MS } from '../../platform/time/deadline.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  isAsWanted,
  isLongGone,
  planStock,
  type StockOrder,
  type StockOverview,
  type StockPlan,
} from './plan-stock.ts';
import { MISSING_KEPT_MS, RESERVE_KEPT_MS, type StockStore } from './stock.ts';

/** How many vouchers one call orders. */
const SLICE = 50;
/** More slices than the largest reserve has. Whatever is still missing waits for the next turn. */
const MAX_SLICES = 12;
const STOCK = [{ what: 'order', value: 'stock' }] as const;

/** `failed`: the controller failed, and should not be called again at once. */
export type Refilled = 'done' | 'failed' | 'nothing';

interface Deps {
  stock: StockStore;
  sites: Pick<SiteStore, 'findActive'>;
  syncs: Pick<SyncStore, 'list'>;
  profiles: Pick<ProfileStore, 'list'>;
  vouchers: Pick<VoucherStore, 'listIntents'>;
  usage: Pick<UsageStore, 'sampleExpected'>;
  createVouchers: CreateVouchers;
  controllerOf: (site: Site) => Controller;
  findOutdated: FindOutdated;
  readTrustedTime: ReadTrustedTime;
  isClockSettled: () => Promise<boolean>;
  withLease: WithLease;
  timeout: (ms: number) => AbortSignal;
  log: Log;
  /** Counts an order for the stock that failed. */
  observeFailure: (siteId: SiteId, reason: string) => void;
}

/** Reads only, unless there is something to do. */
export type RefillSite = (siteId: SiteId, overview: StockOverview, signal: AbortSignal) => Promise<Refilled>;

export function makeRefillSite(deps: Deps): RefillSite {
  const { stock, sites, syncs, profiles, vouchers, usage, createVouchers, controllerOf } = deps;
  const { findOutdated, readTrustedTime, isClockSettled, withLease, timeout, log, observeFailure } = deps;

  return async function refillSite(siteId, overview, signal) {
    if (isAsWanted(overview)) return 'nothing';
    const site = await sites.findActive(siteId);
    if (!site || site.controllerKind === UNKNOWN) return 'nothing';
    // The sync finds out when the controller works again.
    const sync = (await syncs.list()).get(siteId);
    if (sync && isFailing(sync)) return 'nothing';
    if ((await isQuiet(siteId)) && !overview.groups.some(isLongGone)) return 'nothing';
    const name = `stock of site ${siteId}`;
    return (await withLease(name, signal, (held) => refill(site, held))) ?? 'nothing';
  };

  async function refill(site: Site, signal: AbortSignal): Promise<Refilled> {
    for (let slices = 0; slices < MAX_SLICES && !signal.aborted; slices++) {
      const plan = await planFor(site.id, await stock.list(site.id));
      await stock.markLeaving(plan.leaving);
      if (plan.orders.length === 0) break;
      const outdated = await findOutdated([...STOCK]);
      if (outdated) {
        log.debug({ siteId: site.id, outdated }, 'the stock is not filled beside an older release');
        return 'failed';
      }
      for (const order of plan.orders) if (!(await fill(site, order))) return 'failed';
    }
    return deleteLeaving(site, signal);
  }

  async function fill({ id: siteId }: Site, { screenId, name, limits, count }: StockOrder): Promise<boolean> {
    const { created, problem } = await createVouchers({ siteId, name, ...limits }, Math.min(SLICE, count), {
      actor: serviceActor('Stock'),
      purpose: { kind: 'stock', screenId },
    });
    if (created.length > 0)
      log.info({ siteId, screenId, made: created.length }, 'vouchers were made for the stock');
    if (!problem) return true;
    observeFailure(siteId, problem.kind);
    log.warn({ siteId, screenId, problem }, 'the stock could not be filled, will try again');
    return false;
  }

  async function deleteLeaving(site: Site, signal: AbortSignal): Promise<Refilled> {
    const { id: siteId } = site;
    // A voucher that somebody has must stay on the controller.
    await stock.dropRecorded(siteId);
    await stock.dropGone(siteId);
    const leaving = (await stock.list(siteId)).filter(({ state }) => state === 'leaving');
    const deleting = new Set(leaving.flatMap(({ controllerVoucherId: id }) => id ?? []));
    let [deleted, outcome]: [number, Refilled] = [0, 'done'];
    for (const voucher of leaving) {
      if (signal.aborted) break;
      using patience = joinSignals(signal, timeout(REQUEST_DEADLINE_MS));
      const controller = controllerOf(site);
      const failure = await deleteUpstream({ controller, voucher, usage, deleting, signal: patience.signal });
      if (!failure) {
        await stock.markGone(voucher.id);
        deleted++;
        continue;
      }
      outcome = 'failed';
      observeFailure(siteId, 'not-deleted');
      log.warn(
        { siteId, stockId: voucher.id, failure },
        'a voucher of the stock was not deleted, will try again',
      );
      if (!isRefusalOfOne(failure)) break;
    }
    if (deleted > 0) log.info({ siteId, deleted }, 'vouchers left the stock and the controller');
    return outcome;
  }

  /** What is missing may be on its way already. */
  async function isQuiet(siteId: SiteId): Promise<boolean> {
    const own = await stock.list(siteId);
    const { orders, leaving } = await planFor(siteId, own);
    return orders.length === 0 && leaving.length === 0 && !own.some(({ state }) => state === 'leaving');
  }

  async function planFor(siteId: SiteId, own: StockVoucher[]): Promise<StockPlan> {
    return planStock({
      targets: (await stock.listTargets()).filter((target) => target.siteId === siteId),
      stock: own,
      intents: await vouchers.listIntents(siteId),
      profiles: await profiles.list(),
      ...(await makeAgeRules(own)),
    });
  }

  /** By two clocks: that of the database, and that of this machine if it is trusted. */
  async function makeAgeRules(own: StockVoucher[]) {
    const mayBeOld = ({ ageMs }: StockVoucher) => ageMs >= RESERVE_KEPT_MS;
    const mayBeLongMissing = ({ missing }: StockVoucher) => (missing?.forMs ?? 0) >= MISSING_KEPT_MS;
    const mayBe = own.some((voucher) => mayBeOld(voucher) || mayBeLongMissing(voucher));
    const time = mayBe ? await readTrustedTime() : undefined;
    const nowMs = time && (await isClockSettled()) ? time.nowMs : Number.NEGATIVE_INFINITY;
    return {
      isOld: (voucher: StockVoucher) => mayBeOld(voucher) && nowMs - voucher.madeAtMs >= RESERVE_KEPT_MS,
      isLongMissing: (voucher: StockVoucher) =>
        mayBeLongMissing(voucher) && nowMs - (voucher.missing?.sinceMs ?? nowMs) >= MISSING_KEPT_MS,
    };
  }
}
