// Notes which cached lists a transaction changes. On SQLite the commit passes the notes to the caches of this
// process. On PostgreSQL the notes are not needed, because every request reads the list version from the database.

import type { Handle, ListChange } from './database.ts';

/** Keyed by the adapter of the dialect, which a database and its transactions share. */
const collectors = new WeakMap<object, (change: ListChange) => void>();

export function collectListChanges(handle: Handle, collect: (change: ListChange) => void): void {
  collectors.set(handle.getExecutor().adapter, collect);
}

export function noteListChange(handle: Handle, change: ListChange): void {
  collectors.get(handle.getExecutor().adapter)?.(change);
}
