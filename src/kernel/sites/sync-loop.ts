// Syncs every active site with its controller. Each site has its own loop, so that no site waits for another, and the
// syncs are spread over the interval.

import { type Loop, startLoop } from '../../platform/jobs/loop.ts';
import type { Log } from '../../platform/log/log.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { SiteId } from '../ids.ts';
import type { SyncSite } from '../vouchers/sync-site.ts';
import type { SiteStore } from './site.ts';
import type { SyncStore } from './site-sync.ts';

const LOOK_FOR_SITES_EVERY_MS = 10_000;
/** Each pause is randomly longer or shorter by up to this fraction, so that the syncs of the sites stay spread out. */
const JITTER = 0.1;

interface Deps {
  sites: Pick<SiteStore, 'findActive' | 'listActive'>;
  syncSite: SyncSite;
  sinceLastMs: SyncStore['sinceLastMs'];
  intervalS: number;
  log: Log;
  random: () => number;
}

export function startSyncLoops({ sites, syncSite, sinceLastMs, intervalS, log, random }: Deps): Loop {
  const intervalMs = intervalS * 1000;
  const loops = new Map<SiteId, Loop>();
  const watch = startLoop({
    name: 'sync',
    run: lookForSites,
    log,
    pauseAfterFailureMs: LOOK_FOR_SITES_EVERY_MS,
  });

  return {
    async stop() {
      await watch.stop();
      await Promise.all([...loops.values()].map((loop) => loop.stop()));
    },
  };

  async function lookForSites(): Promise<number> {
    const known = (await sites.listActive()).filter(({ controllerKind }) => controllerKind !== UNKNOWN);
    const active = new Set(known.map(({ id }) => id));
    for (const id of active) if (!loops.has(id)) loops.set(id, startSiteLoop(id));
    for (const [id, loop] of loops)
      if (!active.has(id)) {
        loops.delete(id);
        await loop.stop();
      }
    return LOOK_FOR_SITES_EVERY_MS;
  }

  function startSiteLoop(id: SiteId): Loop {
    return startLoop({
      name: `sync of site ${id}`,
      run: (signal) => syncTurn(id, signal),
      log,
      pauseAfterFailureMs: intervalMs,
      firstPauseMs: random() * intervalMs,
    });
  }

  async function syncTurn(id: SiteId, signal: AbortSignal): Promise<number> {
    // Another instance or a command may have synced the site in the meantime. Then this turn is skipped.
    const sinceMs = (await sinceLastMs(id)) ?? intervalMs;
    if (sinceMs < intervalMs * (1 - JITTER)) return intervalMs - sinceMs;
    const site = await sites.findActive(id);
    if (!site) return intervalMs;
    const synced = await syncSite(site, signal);
    if (!synced) return LOOK_FOR_SITES_EVERY_MS;
    if (synced.ok && synced.value.leftStock)
      log.warn(
        { siteId: id, leftStock: synced.value.leftStock },
        'vouchers of the stock were used on the controller, or are missing there',
      );
    if (synced.ok) log.debug({ siteId: id, ...synced.value }, 'synced with the controller');
    else if (!signal.aborted)
      log.warn({ siteId: id, problem: synced.problem.text }, 'cannot sync with the controller');
    return intervalMs * (1 + JITTER * (2 * random() - 1));
  }
}
