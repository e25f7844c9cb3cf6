// How the sync of a site with its controller is going: what is kept of it, and what to make of that.

import type { FailureCause } from '../controller.ts';
import type { SiteId } from '../ids.ts';

export interface SiteSync {
  /** The last one that succeeded. */
  syncedAtMs: number | null;
  /** The last one that failed, and why. */
  failedAtMs: number | null;
  error: string | null;
  /** Null when nobody could tell. */
  cause: FailureCause | null;
  /** The first that failed since the last one that succeeded; null before there was any. */
  failingSinceMs: number | null;
}

export type SyncState = 'never' | 'ok' | 'stale' | 'failing';

/** So many intervals may pass without a sync before what we know counts as old. */
export const STALE_INTERVALS = 3;

export function syncStateOf(sync: SiteSync | undefined, nowMs: number, intervalS: number): SyncState {
  if (sync && isFailing(sync)) return 'failing';
  if (!sync?.syncedAtMs) return 'never';
  return nowMs - sync.syncedAtMs > STALE_INTERVALS * intervalS * 1000 ? 'stale' : 'ok';
}

export function isFailing({ syncedAtMs, failedAtMs }: SiteSync): boolean {
  return failedAtMs !== null && failedAtMs >= (syncedAtMs ?? 0);
}

/** Times are by the clock that all instances share. */
export interface SyncStore {
  noteSuccess(siteId: SiteId): Promise<void>;
  noteFailure(siteId: SiteId, error: string, cause?: FailureCause): Promise<void>;
  /** How long ago anybody tried, with or without success; undefined if nobody ever did. */
  sinceLastMs(siteId: SiteId): Promise<number | undefined>;
  /** Of every site that was ever tried. */
  list(): Promise<Map<SiteId, SiteSync>>;
  /** Active sites that are at least that old, and that nobody ever tried. */
  listNeverTried(createdBeforeMs: number): Promise<SiteId[]>;
}
