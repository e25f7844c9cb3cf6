// Fills the stock of all sites: every two seconds, and at once when a voucher was handed out. Each site has its own
// turn, so that a slow controller delays no other site. After a failure, the site pauses for as long as a sync would.

import type { SiteId } from '../../kernel/ids.ts';
import type { ProfileStore } from '../../kernel/profiles/profile.ts';
import { type Loop, startLoop } from '../../platform/jobs/loop.ts';
import type { Log } from '../../platform/log/log.ts';
import type { StockOverview } from './plan-stock.ts';
import type { Refilled, RefillSite } from './refill-stock.ts';
import type { StockStore } from './stock.ts';
import type { StockPoke } from './stock-poke.ts';

const EVERY_MS = 2_000;
const PAUSE_AFTER_FAILURE_MS = 10_000;
const MIN_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 10 * 60_000;

interface Deps {
  stock: Pick<StockStore, 'listTargets' | 'listGroups'>;
  profiles: Pick<ProfileStore, 'list'>;
  /** Loaded with the first site that needs a stock, because many installations have none. */
  loadRefillSite: () => Promise<RefillSite>;
  stockPoke: Pick<StockPoke, 'onPoke'>;
  syncIntervalS: number;
  monotonicMs: () => number;
  log: Log;
}

/** The sites that need a stock or have one. Three queries, however many sites and vouchers there are. */
export async function readOverviews({
  stock,
  profiles,
}: Pick<Deps, 'stock' | 'profiles'>): Promise<Map<SiteId, StockOverview>> {
  const targets = Map.groupBy(await stock.listTargets(), ({ siteId }) => siteId);
  const groups = Map.groupBy(await stock.listGroups(), ({ siteId }) => siteId);
  const siteIds = new Set([...targets.keys(), ...groups.keys()]);
  const known = siteIds.size > 0 ? await profiles.list() : [];
  return new Map(
    [...siteIds].map((id) => [
      id,
      { targets: targets.get(id) ?? [], groups: groups.get(id) ?? [], profiles: known },
    ]),
  );
}

export function startStockLoop(deps: Deps): Loop {
  const { loadRefillSite, stockPoke, syncIntervalS, monotonicMs, log } = deps;
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, syncIntervalS * 1000));
  const running = new Map<SiteId, Promise<void>>();
  let refillSite: RefillSite | undefined;
  const pausedUntilMs = new Map<SiteId, number>();
  const loop = startLoop({ name: 'stock', run: turn, log, pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS });
  stockPoke.onPoke(loop.wake);
  return {
    async stop() {
      await loop.stop();
      await Promise.all(running.values());
    },
  };

  async function turn(signal: AbortSignal): Promise<number> {
    const overviews = await readOverviews(deps);
    if (overviews.size > 0) refillSite ??= await loadRefillSite();
    for (const [siteId, overview] of overviews)
      if (!running.has(siteId) && monotonicMs() >= (pausedUntilMs.get(siteId) ?? 0))
        running.set(siteId, serve(siteId, overview, signal));
    return EVERY_MS;
  }

  async function serve(siteId: SiteId, overview: StockOverview, signal: AbortSignal): Promise<void> {
    let outcome: Refilled = 'failed';
    try {
      outcome = (await refillSite?.(siteId, overview, signal)) ?? 'nothing';
    } catch (error) {
      log.error({ siteId, err: error }, 'cannot fill the stock of a site, will try again');
    } finally {
      if (outcome === 'failed') pausedUntilMs.set(siteId, monotonicMs() + pauseMs);
      else pausedUntilMs.delete(siteId);
      running.delete(siteId);
    }
    // A voucher may have been handed out meanwhile, and its poke has found this site busy.
    if (outcome === 'done') loop.wake();
  }
}
