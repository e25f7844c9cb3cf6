// Makes the scheduled backups. Only one instance at a time does this. After a failure, the next attempt follows some
// minutes later.

import type { WithLease } from '../domain/leases/leases.ts';
import type { Log } from '../domain/log.ts';

/** Another instance may have made the backup, so the records are read again after this time. */
const MAX_PAUSE_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 10 * 60_000;

interface Deps {
  /** Makes a backup if one is due. Returns the time until the next one is due. */
  backUpIfDue: (signal: AbortSignal) => Promise<number>;
  withLease: WithLease;
  observeFailure: () => void;
  log: Log;
}

export function makeBackupsTurn({ backUpIfDue, withLease, observeFailure, log }: Deps) {
  return async function backupsTurn(stopping: AbortSignal): Promise<number> {
    try {
      const untilDueMs = await withLease('backup', stopping, backUpIfDue);
      return Math.min(untilDueMs ?? MAX_PAUSE_MS, MAX_PAUSE_MS);
    } catch (error) {
      if (stopping.aborted) return MAX_PAUSE_MS;
      observeFailure();
      log.error({ err: error, retryInS: PAUSE_AFTER_FAILURE_MS / 1_000 }, 'backup failed');
      return PAUSE_AFTER_FAILURE_MS;
    }
  };
}
