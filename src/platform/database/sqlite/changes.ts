// Tells the caches what has changed: the change stamp for all cached reads, and the changes of single lists.

import type { DatabaseSync } from 'node:sqlite';
import type { ListChange } from '../database.ts';
import { guarded, isBusy } from './connection.ts';
import type { Written } from './written-data.ts';

const STAMP_HOLDS_MS = 1;

/**
 * `writer` is the connection through which this process commits. Its `data_version` changes only when another
 * connection commits: that of another process, or that of the checkpoint worker. It is read at most once per
 * millisecond, and anew after the arrival of a request, which must see all earlier commits. Commits through `writer`
 * take effect at once.
 */
export function makeChanges(writer: DatabaseSync) {
  const dataVersion = writer.prepare('pragma data_version');
  dataVersion.setReturnArrays(true);
  const listeners: ((change: ListChange) => void)[] = [];
  let stamp = 0;
  let seenVersion: number | undefined;
  let seenUntil = 0;
  let hasArrival = false;

  function readDataVersion(): number | undefined {
    try {
      return guarded(() => firstNumber(dataVersion.get()));
    } catch (error) {
      // The writer does not wait for locks. An unknown version counts as a change.
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  return {
    stamp(): number {
      const now = performance.now();
      if (now < seenUntil) return stamp;
      const version = readDataVersion();
      if (version === undefined || version !== seenVersion) stamp++;
      seenVersion = version;
      seenUntil = now + STAMP_HOLDS_MS;
      return stamp;
    },

    /**
     * The requests of one turn of the event loop share one reading: all of them had arrived before the turn asked the
     * operating system what there is to read. `setImmediate` runs after the last of these requests.
     */
    noteArrival(): void {
      if (hasArrival) return;
      hasArrival = true;
      seenUntil = 0;
      setImmediate(() => {
        hasArrival = false;
      });
    },

    onListChange(listener: (change: ListChange) => void): void {
      listeners.push(listener);
    },

    /** Called directly after each commit, with what each of its jobs has written. */
    committed(jobs: Written[]): void {
      for (const { anything, listVersions, listChanges } of jobs) {
        // A list version that was changed without a note belongs to an unknown site.
        if (anything || listVersions !== listChanges.length) stamp++;
        for (const change of listChanges) for (const listener of listeners) listener(change);
      }
    },
  };
}

export function firstNumber(row: unknown): number {
  const value: unknown = Array.isArray(row) ? row[0] : undefined;
  if (typeof value !== 'number') throw new Error('SQLite answered a pragma without a number');
  return value;
}
