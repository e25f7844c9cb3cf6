// Makes the scheduled backups. Only one instance at a time does this. After a failure, the next attempt follows some
// minutes later.

import type { WithLease } from '../leases/leases.ts';
import type { Log } from '../log/log.ts';
import { toOneLine } from '../text/one-line.ts';
import type { Clock } from '../time/clock.ts';
import type { BackupFailureReports } from './scheduled-backups.ts';

/** Another instance may have made the backup, so the records are read again after this time. */
const MAX_PAUSE_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 10 * 60_000;

interface Deps {
  /** Makes a backup if one is due. Returns the time until the next one is due. */
  backUpIfDue: (signal: AbortSignal) => Promise<number>;
  withLease: WithLease;
  observeFailure: () => void;
  failureReports: Pick<BackupFailureReports, 'report'>;
  clock: Clock;
  log: Log;
}

export function makeBackupsTurn(deps: Deps) {
  const { backUpIfDue, withLease, observeFailure, failureReports, clock, log } = deps;
  return async function backupsTurn(stopping: AbortSignal): Promise<number> {
    try {
      const untilDueMs = await withLease('backup', stopping, backUpIfDue);
      return Math.min(untilDueMs ?? MAX_PAUSE_MS, MAX_PAUSE_MS);
    } catch (error) {
      if (stopping.aborted) return MAX_PAUSE_MS;
      observeFailure();
      log.error({ err: error, retryInS: PAUSE_AFTER_FAILURE_MS / 1_000 }, 'backup failed');
      await failureReports
        .report(toOneLine(error instanceof Error ? error.message : String(error)), clock.nowMs())
        .catch((failure) => log.error({ err: failure }, 'no mail about the failed backup was written'));
      return PAUSE_AFTER_FAILURE_MS;
    }
  };
}
