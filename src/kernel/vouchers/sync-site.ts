// Syncs a site's vouchers from its controller: the uses and the first use of each voucher, vouchers that are gone, and
// vouchers that others created there. Also finds out what happened to vouchers in the stock. Writes only what has
// changed. A list that is empty or could not be read to its end is not applied.

import { joinSignals } from '../../platform/concurrency/join-signals.ts';
import { slicesOf } from '../../platform/concurrency/slices.ts';
import type { WithLease } from '../../platform/leases/leases.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure, UpstreamVoucher } from '../controllers/controller.ts';
import type { SiteId, StockId } from '../ids.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Site } from '../sites/site.ts';
import type { SyncStore } from '../sites/site-sync.ts';
import { isTestVoucher } from '../sites/test-site.ts';
import { makeStockFindings, toUsedVoucher } from '../stock/stock-findings.ts';
import type { StockRecords, StockVoucher } from '../stock/stock-voucher.ts';
import { OTHER_CONSOLE } from './check-console.ts';
import { findMissing } from './find-missing.ts';
import { isTooOldToImport, keptFrom } from './retention.ts';
import type { SettleIntents } from './settle-intents.ts';
import type { KnownVoucher, UsageChange, UsageStore } from './usage-records.ts';
import { isUsable } from './voucher-state.ts';

/** The time limit of a sync. It stops the reading of a list that never ends. */
const MAX_SYNC_MS = 10 * 60_000;
/** How many vouchers one query or transaction handles. Requests can run between two of them. */
const SLICE = 200;
/**
 * How many vouchers one transaction imports; reads are served between transactions. Imported vouchers change pages all
 * over the database index, and a larger transaction writes each of these pages less often.
 */
const IMPORTS_AT_ONCE = 1_000;
/** The maximum for each of these in one sync: changes, imports, missing vouchers. The rest waits for the next sync. */
const MAX_PER_SYNC = 100_000;

export interface SyncTally {
  listed: number;
  changed: number;
  gone: number;
  imported: number;
  /**
   * Vouchers that the stock lost: they were used on the controller before they were handed out, or are missing there.
   */
  leftStock?: number;
}

/** Resolves to undefined if the site is already being synced. */
export type SyncSite = (
  site: Site,
  signal: AbortSignal,
) => Promise<Result<SyncTally, ControllerFailure> | undefined>;

interface Deps {
  usage: UsageStore;
  stock: Pick<StockRecords, 'list' | 'identify' | 'recordUsed' | 'markMissing' | 'markFound'>;
  syncs: Pick<SyncStore, 'readTimeMs' | 'noteSuccess' | 'noteFailure'>;
  settleIntents: SettleIntents;
  settings: Pick<SettingsStore, 'read'>;
  controllerOf: (site: Site) => Controller;
  clock: Clock;
  timeout: (ms: number) => AbortSignal;
  withLease: WithLease;
}

export function makeSyncSite(deps: Deps): SyncSite {
  const { usage, stock, syncs, settleIntents, settings, controllerOf, clock, timeout, withLease } = deps;

  return async function syncSite(site, signal) {
    return withLease(`sync of site ${site.id}`, signal, (held) => syncAndNote(site, held));
  };

  async function syncAndNote(site: Site, signal: AbortSignal): Promise<Result<SyncTally, ControllerFailure>> {
    // Settle the intents first, so that our own vouchers are not imported as somebody else's.
    await settleIntents(signal, site.id);
    const beganAtMs = await syncs.readTimeMs();
    using patience = joinSignals(signal, timeout(MAX_SYNC_MS));
    const synced = await sync(site, patience.signal).catch(async (error) => {
      await syncs.noteFailure(site.id, toOneLine(error instanceof Error ? error.message : String(error)));
      throw error;
    });
    // A failure after an abort says nothing about the controller, so it is not recorded.
    if (synced.ok) await syncs.noteSuccess(site.id, beganAtMs);
    // If this release cannot use the site's controller, an instance of a newer release syncs and records the outcome.
    else if (!signal.aborted && synced.problem.cause !== 'not-known')
      await syncs.noteFailure(site.id, toOneLine(synced.problem.text), synced.problem.cause);
    return synced;
  }

  async function sync(site: Site, signal: AbortSignal): Promise<Result<SyncTally, ControllerFailure>> {
    const controller = controllerOf(site);
    const newestId = await usage.newestId();
    const stocked = makeStockFindings(await stock.list(site.id));
    const listed = new Set<string>();
    let recorded = 0;
    const changes: UsageChange[] = [];
    const foreign: UpstreamVoucher[] = [];
    const notImported: UpstreamVoucher[] = [];

    const failure = await controller.forEachVoucherChunk(async (chunk) => {
      for (const slice of slicesOf(chunk, SLICE)) {
        const known = await findKnown(site.id, slice);
        // Read the settings after the records. If retention has just deleted a voucher, the settings then show that it
        // is too old to import.
        const { vouchersS } = keptFrom(await settings.read(), clock.nowMs());
        const isForeign = (voucher: UpstreamVoucher) =>
          site.importsForeign && !isTestVoucher(voucher) && !isTooOldToImport(voucher, vouchersS);
        for (const voucher of slice) {
          const id = voucher.controllerVoucherId;
          if (id === null || listed.has(id)) continue;
          listed.add(id);
          const record = known.get(id);
          const isInStock = !record && stocked.note(voucher);
          if (record || isInStock) recorded++;
          if (isInStock) continue;
          const change = record && changeOf(record, voucher);
          if (change && changes.length < MAX_PER_SYNC) changes.push(change);
          const unrecorded = isForeign(voucher) ? foreign : notImported;
          if (!record && unrecorded.length < MAX_PER_SYNC) unrecorded.push(voucher);
        }
      }
    }, signal);
    if (failure) return fail(failure);
    if (listed.size === 0) return ok({ listed: 0, changed: 0, gone: 0, imported: 0 });

    for (const slice of slicesOf(changes, SLICE)) await usage.change(site.id, slice);
    for (const slice of slicesOf(notImported, SLICE)) await usage.adopt(site.id, slice);
    for (const one of stocked.identified) await stock.identify(one.stocked.id, one.controllerVoucherId);
    for (const slice of slicesOf(stocked.used, SLICE)) await stock.recordUsed(site.id, slice);
    await stock.markFound(stocked.found);
    const missing = new Map<string, KnownVoucher>();
    const missingStock = stocked.findMissing(listed);
    const nowS = toWholeSeconds(clock.nowMs());
    for await (const voucher of findMissing(usage, { siteId: site.id, listed, newestId, nowS })) {
      missing.set(voucher.controllerVoucherId, voucher);
      if (missing.size >= MAX_PER_SYNC) break;
    }
    // If no recorded voucher is listed, the console may have been set up anew or replaced. Nothing is imported then.
    const isDoubtful = recorded === 0 && missing.size + missingStock.size > 0;
    let imported = 0;
    if (isDoubtful) for (const slice of slicesOf(foreign, SLICE)) await usage.adopt(site.id, slice);
    else
      for (const slice of slicesOf(foreign, IMPORTS_AT_ONCE))
        imported += await usage.importForeign(site.id, slice);

    const judged =
      missing.size + missingStock.size === 0
        ? ok({ changes: [], uses: new Map() })
        : await judge(missing, missingStock, { controller, isDoubtful, signal });
    if (!judged.ok) return judged;
    for (const slice of slicesOf(judged.value.changes, SLICE)) await usage.change(site.id, slice);
    await applyToStock(site.id, missingStock, judged.value.uses);
    const gone = judged.value.changes.filter(({ endedAtS }) => endedAtS !== null).length;
    const leftStock = stocked.used.length + missingStock.size;
    return ok({
      listed: listed.size,
      changed: changes.length + judged.value.changes.length - gone,
      gone,
      imported,
      ...(leftStock > 0 && { leftStock }),
    });
  }

  async function findKnown(siteId: SiteId, chunk: UpstreamVoucher[]): Promise<Map<string, KnownVoucher>> {
    const ids = chunk.map(({ controllerVoucherId }) => controllerVoucherId).filter((id) => id !== null);
    const known = await usage.findKnown(siteId, ids);
    return new Map(known.map((voucher) => [voucher.controllerVoucherId, voucher]));
  }

  /** A list without a voucher does not prove that the voucher is gone, so an unused one stays in the stock. */
  async function applyToStock(
    siteId: SiteId,
    missing: Map<string, StockVoucher>,
    uses: ReadonlyMap<string, number>,
  ): Promise<void> {
    const unused: StockId[] = [];
    for (const [id, voucher] of missing) {
      const usedAtMs = uses.get(id);
      if (usedAtMs === undefined) unused.push(voucher.id);
      else await stock.recordUsed(siteId, [toUsedVoucher(voucher, usedAtMs)]);
    }
    await stock.markMissing(unused);
  }

  /**
   * Decides for each missing voucher whether it is used up or gone, and deletes vouchers that the second list contains
   * from both maps. If the first list contained no recorded voucher
   * (`isDoubtful`), the second list or a use must show that the controller knows at least one missing voucher.
   * Otherwise it may be another console, and `judge` fails if one of the missing vouchers is still usable.
   */
  async function judge(
    missing: Map<string, KnownVoucher>,
    missingStock: Map<string, StockVoucher>,
    { controller, isDoubtful, signal }: { controller: Controller; isDoubtful: boolean; signal: AbortSignal },
  ): Promise<Result<{ changes: UsageChange[]; uses: Map<string, number> }, ControllerFailure>> {
    // Read the list again: if vouchers are deleted during a read, the pages shift and the read can miss a voucher.
    let listed = 0;
    let isKnown = !isDoubtful;
    const failure = await controller.forEachVoucherChunk(async (chunk) => {
      listed += chunk.length;
      for (const { controllerVoucherId } of chunk)
        if (controllerVoucherId !== null && deleteFrom([missing, missingStock], controllerVoucherId))
          isKnown = true;
    }, signal);
    if (failure) return fail(failure);
    if (listed === 0) {
      missingStock.clear();
      return ok({ changes: [], uses: new Map() });
    }

    const uses =
      !isKnown || missingStock.size > 0 || [...missing.values()].some(isUnusedSingle)
        ? await controller.findUses(signal)
        : ok(new Map<string, number>());
    if (!uses.ok) return uses;
    const nowS = toWholeSeconds(clock.nowMs());
    const vouchers = [...missing.values()];
    isKnown ||= [...missing.keys(), ...missingStock.keys()].some((id) => uses.value.has(id));
    const isMissed = missingStock.size > 0 || vouchers.some((voucher) => isUsable(voucher, nowS));
    if (!isKnown && isMissed) return fail(OTHER_CONSOLE);
    const verdicts = vouchers.map((voucher) => verdictOn(voucher, uses.value, nowS));
    return ok({ changes: verdicts, uses: uses.value });
  }
}

/** True if one of the maps had the id. */
function deleteFrom(maps: Map<string, unknown>[], id: string): boolean {
  return maps.filter((map) => map.delete(id)).length > 0;
}

function changeOf(known: KnownVoucher, upstream: UpstreamVoucher): UsageChange | undefined {
  const { usedCount, firstUsedAtMs } = upstream;
  const firstUsedAtS = firstUsedAtMs === null ? known.firstUsedAtS : toWholeSeconds(firstUsedAtMs);
  const isSame =
    usedCount === known.usedCount && firstUsedAtS === known.firstUsedAtS && known.missingSinceS === null;
  // A voucher that was missing and is listed again works again, so its end is deleted. All others keep their end, such
  // as a voucher that was moved in from another tool as expired.
  const endedAtS = known.missingSinceS === null ? known.endedAtS : null;
  return isSame ? undefined : { id: known.id, usedCount, firstUsedAtS, endedAtS, missingSinceS: null };
}

/** True for a single-use voucher without a recorded use. Some controllers no longer list it once it has been used. */
const isUnusedSingle = ({ maxUses, usedCount }: KnownVoucher) => maxUses === 1 && usedCount === 0;

function verdictOn(voucher: KnownVoucher, uses: ReadonlyMap<string, number>, nowS: number): UsageChange {
  const { id, maxUses, usedCount, firstUsedAtS, endedAtS, endsAtS } = voucher;
  const usedAtMs = uses.get(voucher.controllerVoucherId);
  if (maxUses === 1 && usedAtMs !== undefined)
    return { id, usedCount: 1, firstUsedAtS: toWholeSeconds(usedAtMs), endedAtS, missingSinceS: nowS };
  const isUsedUp = maxUses === 1 && usedCount >= 1;
  // Gastpass itself may have just deleted it. Its devices are disconnected before its end is recorded.
  const isPastOwnEnd = endsAtS !== null && endsAtS <= nowS;
  return {
    id,
    usedCount,
    firstUsedAtS,
    endedAtS: endedAtS ?? (isUsedUp || isPastOwnEnd ? null : nowS),
    missingSinceS: nowS,
  };
}
