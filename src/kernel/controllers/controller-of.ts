// Provides the driver for a site. Sites on one controller share its connections and its queue.

import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../platform/time/clock.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { SiteId } from '../ids.ts';
import type { ControllerConnection, ControllerSessions } from '../sites/controller-connection.ts';
import type { Site } from '../sites/site.ts';
import type { Controller } from './controller.ts';
import { findKind, hasFieldsOf, secretsOf } from './controller-kind.ts';
import { KINDS } from './kinds.ts';
import { maskSecretsOfDriver } from './mask-secrets-of-driver.ts';
import { unknownDriver } from './unknown-driver.ts';
import { makeCallLimiter } from './upstream/call-limiter.ts';
import { makeTrustedPool } from './upstream/trusted-pool.ts';
import { makeUpstream, type Upstream } from './upstream/upstream-http.ts';

export interface Controllers {
  controllerOf(site: Site): Controller;
  /** Deletes what a controller inside this process, such as the simulated one, stores for a removed site. */
  forgetSite(id: SiteId): void;
  close(): Promise<void>;
}

interface Deps {
  dataDir: string;
  clock: Clock;
  sessions: ControllerSessions;
  /** The header `traceparent` for a call, if the current request belongs to a trace. */
  nextTraceparent?: () => string | undefined;
}

interface Driven {
  settings: Pick<Site, 'controllerKind' | 'controllerSite' | 'connection'>;
  driver: Controller;
  upstream: Upstream | undefined;
  usedAtMs: number;
}

/** A driver that is not used for this long is discarded. It is made again when it is needed. */
const KEPT_MS = 60 * 60_000;

export function makeControllers({ dataDir, clock, sessions, nextTraceparent }: Deps): Controllers {
  /** The drivers of each site. A site has several if its access data was changed, or changed data is being tested. */
  const driven = new Map<SiteId, Driven[]>();
  const upstreams = new Map<string, Upstream>();
  const kinds = KINDS.map((kind) => ({ ...kind, ...kind.open({ dataDir, clock, sessions }) }));

  return {
    controllerOf(site) {
      const { controllerKind, controllerSite, connection } = site;
      const settings = { controllerKind, controllerSite, connection };
      const ofSite = driven.get(site.id) ?? [];
      const known = ofSite.find((one) => isDeepStrictEqual(one.settings, settings));
      // Not the wall clock: if it jumped, connections that are in use would be closed.
      const usedAtMs = performance.now();
      if (known) {
        known.usedAtMs = usedAtMs;
        return known.driver;
      }
      const upstream = connection ? upstreamOf(connection) : undefined;
      const driver = makeDriver(site, upstream);
      driven.set(site.id, [...ofSite, { settings, driver, upstream, usedAtMs }]);
      forgetUnused(usedAtMs - KEPT_MS);
      return driver;
    },
    forgetSite(id) {
      for (const kind of kinds) kind.forgetSite?.(id);
    },
    async close() {
      for (const kind of kinds) kind.close?.();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };

  function makeDriver(site: Site, upstream: Upstream | undefined): Controller {
    const { id, controllerKind, controllerSite, connection } = site;
    if (controllerKind === UNKNOWN) return unknownDriver;
    const kind = findKind(kinds, controllerKind);
    if (!kind || !hasFieldsOf(kind, connection?.credentials ?? {}))
      throw new Error(`site ${id}: no driver for "${controllerKind}" with what is configured`);
    const reached = connection && upstream ? { ...connection, upstream } : undefined;
    const driver = kind.makeDriver({ id, site: controllerSite, reached });
    return connection ? maskSecretsOfDriver(driver, secretsOf(kind, connection.credentials)) : driver;
  }

  function upstreamOf({ url, trust }: ControllerConnection): Upstream {
    const key = JSON.stringify([url, trust]);
    const upstream =
      upstreams.get(key) ??
      makeUpstream({
        url,
        pool: makeTrustedPool(url, trust),
        limiter: makeCallLimiter(clock),
        nextTraceparent,
      });
    upstreams.set(key, upstream);
    return upstream;
  }

  /** Forgets drivers that were not used since `beforeMs`. Closes the connections that no driver uses any more. */
  function forgetUnused(beforeMs: number): void {
    for (const [id, ofSite] of driven) {
      const kept = ofSite.filter(({ usedAtMs }) => usedAtMs >= beforeMs);
      if (kept.length > 0) driven.set(id, kept);
      else driven.delete(id);
    }
    const used = new Set([...driven.values()].flat().map(({ upstream }) => upstream));
    for (const [key, upstream] of upstreams)
      if (!used.has(upstream)) {
        upstreams.delete(key);
        // Calls under way are finished first.
        void upstream.close();
      }
  }
}
