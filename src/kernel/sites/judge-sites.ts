// Rules for the sites: whether their controllers work, their time zones, certificates, clocks and syncs.

import { NOT_KNOWN_HERE, UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { ComparedClock } from '../clock-check/judge-clock.ts';
import type { ControllerFailure } from '../controllers/controller.ts';
import { type Finding, fault, passed, warning } from '../health/finding.ts';
import { isTimeZone } from '../vouchers/nights.ts';
import { isUnconfirmed, type Site } from './site.ts';
import { type SiteSync, type SyncState, syncStateOf } from './site-sync.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SOON_DAYS = 30;

export interface SiteFacts {
  site: Site;
  /** Undefined if the controller was not asked, because the site is inactive or a newer release stored it. */
  controller?: ControllerFacts;
}

export interface ControllerFacts {
  failure: ControllerFailure | undefined;
  version?: string | undefined;
  /** What the controller's server shows without a login; undefined if it has no address or cannot be reached. */
  server?: { certificateEndsAtMs: number; aheadMs: number | undefined } | undefined;
}

export function judgeSites(all: SiteFacts[], nowMs: number): Finding[] {
  if (all.length === 0) return [warning({ kind: 'sites-none' })];
  return all.flatMap((one) => [...judgeController(one, nowMs), ...judgeZone(one.site)]);
}

function judgeController({ site, controller }: SiteFacts, nowMs: number): Finding[] {
  const named = { siteId: site.id, site: site.name, controllerKind: site.controllerKind };
  if (site.controllerKind === UNKNOWN)
    return [warning({ kind: 'site-failing', cause: 'not-known', detail: NOT_KNOWN_HERE, ...named })];
  if (!controller) return [passed({ kind: 'site-inactive', isUnconfirmed: isUnconfirmed(site), ...named })];
  const { failure, version, server } = controller;
  return [
    failure
      ? fault({ kind: 'site-failing', cause: failure.cause ?? null, detail: failure.text, ...named })
      : passed({ kind: 'site-ok', version, ...named }),
    ...(server ? judgeCertificate(site, server.certificateEndsAtMs, nowMs) : []),
  ];
}

/** Reports a time zone that this machine does not know: the time zone of the service is used instead. */
function judgeZone({ id, name, timeZone: zone }: Site): Finding[] {
  if (zone === null || isTimeZone(zone)) return [];
  return [warning({ kind: 'site-zone-unknown', zone, siteId: id, site: name })];
}

/**
 * Reports every expired certificate. A pinned certificate goes on working after it has expired; one that a certificate
 * authority vouches for is refused when the driver connects.
 */
export function judgeCertificate(
  { id, name, connection }: Pick<Site, 'id' | 'name' | 'connection'>,
  endsAtMs: number,
  nowMs: number,
): Finding[] {
  if (!connection) return [];
  const named = { siteId: id, site: name };
  if (connection.trust.kind === 'insecure') return [warning({ kind: 'certificate-insecure', ...named })];
  const facts = { endsAtMs, isPinned: connection.trust.kind === 'pinned', ...named };
  if (endsAtMs < nowMs) return [warning({ kind: 'certificate-expired', ...facts })];
  const days = Math.floor((endsAtMs - nowMs) / DAY_MS);
  return [
    days < SOON_DAYS
      ? warning({ kind: 'certificate-ending', days, ...facts })
      : passed({ kind: 'certificate-ok', ...facts }),
  ];
}

/** Returns one clock per controller, because sites on the same controller share its clock. */
export function clocksOfSites(all: SiteFacts[]): ComparedClock[] {
  const clocks = new Map<string, ComparedClock>();
  for (const { site, controller } of all) {
    const aheadMs = controller?.server?.aheadMs;
    if (!site.connection || aheadMs === undefined || clocks.has(site.connection.url)) continue;
    clocks.set(site.connection.url, { site: site.name, aheadMs });
  }
  return [...clocks.values()];
}

/** The sites whose controllers work but did not show their clocks, or not in time. */
export function sitesWithoutClock(all: SiteFacts[]): string[] {
  return all.flatMap(({ site, controller }) =>
    site.connection && controller && !controller.failure && controller.server?.aheadMs === undefined
      ? site.name
      : [],
  );
}

/** An active site. `sync` is undefined before the first sync. */
export interface SyncFacts {
  site: Pick<Site, 'id' | 'name'>;
  sync: SiteSync | undefined;
}

/** Reports for each active site how long ago voucher usage was last synced from its controller. */
export function judgeSyncs(all: SyncFacts[], nowMs: number, intervalS: number): Finding[] {
  return all.map(({ site, sync }) => {
    const named = { siteId: site.id, site: site.name };
    const atMs = sync?.syncedAtMs ?? null;
    if (atMs !== null && atMs > nowMs + MINUTE_MS) return warning({ kind: 'sync-future', atMs, ...named });
    const findings: Record<SyncState, Finding> = {
      ok: passed({ kind: 'sync-ok', atMs: atMs ?? nowMs, ...named }),
      never: passed({ kind: 'sync-never', ...named }),
      stale: warning({ kind: 'sync-stale', atMs, ...named }),
      failing: warning({ kind: 'sync-failing', atMs, detail: sync?.error ?? '', ...named }),
    };
    return findings[syncStateOf(sync, nowMs, intervalS)];
  });
}
