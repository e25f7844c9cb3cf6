// Remembers disk errors that occurred when the database was written. After such an error, small writes may still
// succeed while larger ones fail, so one successful write does not show that the database works again.

import type { Log } from '../log/log.ts';
import type { Clock } from '../time/clock.ts';

export const STORAGE_ERROR_REASONS = ['disk-full', 'read-only', 'io-error', 'damaged'] as const;
export type StorageErrorReason = (typeof STORAGE_ERROR_REASONS)[number];

export type NoteStorageError = (reason: StorageErrorReason, error: unknown) => void;

export interface StorageErrors {
  note: NoteStorageError;
  /** The last disk error of a write, if it occurred within the last minute. */
  recent(): StorageErrorReason | undefined;
  /** How many writes have failed with each error since the service started. */
  counts(): Record<StorageErrorReason, number>;
}

const REMEMBERED_MS = 60_000;

/** A text for operators, without the names of files. */
export function sayStorageError(reason: StorageErrorReason): string {
  return { 'disk-full': 'disk full', 'read-only': 'read-only', 'io-error': 'I/O error', damaged: 'damaged' }[
    reason
  ];
}

export function makeStorageErrors({ clock, log }: { clock: Clock; log?: Log | undefined }): StorageErrors {
  const counts = { 'disk-full': 0, 'read-only': 0, 'io-error': 0, damaged: 0 };
  const loggedAtMs = new Map<StorageErrorReason, number>();
  const unlogged = { ...counts };
  let last: { reason: StorageErrorReason; atMs: number } | undefined;

  /** An error dated in the future does not count, because then the clock was set back. */
  function isFresh(atMs: number | undefined): boolean {
    const ageMs = atMs === undefined ? REMEMBERED_MS : clock.nowMs() - atMs;
    return ageMs >= 0 && ageMs < REMEMBERED_MS;
  }

  return {
    note(reason, error) {
      counts[reason]++;
      unlogged[reason]++;
      // A read-only database refuses every write, so the next test write shows whether it is still read-only. Only
      // other errors must be remembered.
      if (reason !== 'read-only') last = { reason, atMs: clock.nowMs() };
      if (isFresh(loggedAtMs.get(reason))) return;
      log?.error({ err: error, reason, writes: unlogged[reason] }, 'database cannot be written');
      loggedAtMs.set(reason, clock.nowMs());
      unlogged[reason] = 0;
    },
    recent: () => (isFresh(last?.atMs) ? last?.reason : undefined),
    counts: () => ({ ...counts }),
  };
}
