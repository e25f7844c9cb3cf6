// The sync status of a site: what is stored about its syncs, and the state derived from it.

import type { FailureCause } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';

export interface SiteSync {
  /** The last successful sync. */
  syncedAtMs: number | null;
  /** The last failed sync and its error. Null if the controller is known to work again. */
  failedAtMs: number | null;
  error: string | null;
  /** Null if the cause is unknown. */
  cause: FailureCause | null;
  /** The first failed sync of the latest series of failures. */
  failingSinceMs: number | null;
  /** Since when the service has been running; absent if it is not running. */
  runningSinceMs?: number;
}

export type SyncState = 'never' | 'ok' | 'stale' | 'failing';

/** After this many intervals without a sync, while the service was running, the data counts as stale. */
const STALE_INTERVALS = 3;

export const staleAfterMs = (intervalS: number) => STALE_INTERVALS * intervalS * 1_000;

/** A site whose syncs have failed for this long is reported as unreachable. */
export const UNREACHABLE_AFTER_MS = 5 * 60_000;

/** What is reported of a site. */
export type Outage =
  | { kind: 'site.unreachable'; siteId: SiteId; sinceMs: number; cause: FailureCause | null }
  | { kind: 'site.recovered'; siteId: SiteId; sinceMs: number }
  | { kind: 'certificate.changed'; siteId: SiteId; sinceMs: number };

export function syncStateOf(sync: SiteSync | undefined, nowMs: number, intervalS: number): SyncState {
  if (sync && isFailing(sync)) return 'failing';
  if (!sync?.syncedAtMs) return 'never';
  const awaitedSinceMs = Math.max(sync.syncedAtMs, sync.runningSinceMs ?? 0);
  return nowMs - awaitedSinceMs > staleAfterMs(intervalS) ? 'stale' : 'ok';
}

export function isFailing({ syncedAtMs, failedAtMs }: SiteSync): boolean {
  return failedAtMs !== null && failedAtMs >= (syncedAtMs ?? 0);
}

/**
 * Times are taken from the clock that all instances share. Recording an outcome also reports, once, that the
 * site is unreachable, has another certificate or works again.
 */
export interface SyncStore {
  /** The time by that clock. */
  readTimeMs(): Promise<number>;
  /** `beganAtMs` is absent if no sync has read the vouchers. */
  noteSuccess(siteId: SiteId, beganAtMs?: number): Promise<void>;
  noteFailure(siteId: SiteId, error: string, cause?: FailureCause | null): Promise<void>;
  /** Forgets the last failure: the controller has worked since, although the site was not synced. */
  noteWorking(siteId: SiteId): Promise<void>;
  /**
   * Time since the last sync by any instance, successful or not. Undefined if there was no sync, or if its recorded
   * time is more than a minute in the future.
   */
  sinceLastMs(siteId: SiteId): Promise<number | undefined>;
  /**
   * Every site with at least one sync, successful or not. Leaves out a failure that was stale when the service began:
   * only the next sync tells whether the controller still fails.
   */
  list(): Promise<Map<SiteId, SiteSync>>;
  /** Active sites created before `createdBeforeMs` that no instance has tried to sync, if one has run since then. */
  listNeverTried(createdBeforeMs: number): Promise<SiteId[]>;
}
