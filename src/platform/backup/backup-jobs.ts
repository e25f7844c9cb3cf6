// The scheduled backups of a service, and the values of their metrics. The backup modules are loaded only if a backup
// folder is set.

import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import type { TableDeclarations } from '../database/tables/table-declarations.ts';
import type { WithLease } from '../leases/leases.ts';
import type { Log } from '../log/log.ts';
import type { Clock } from '../time/clock.ts';
import {
  type BackupFailureReports,
  type BackupRecord,
  type BackupRecords,
  isOwnBackup,
} from './scheduled-backups.ts';

interface Deps {
  backups: BackupRecords;
  backupFailureReports: BackupFailureReports;
  withLease: WithLease;
  clock: Clock;
  readTrustedTime: () => Promise<object | undefined>;
  loadTables(): Promise<TableDeclarations>;
}

/** Reads the values of the backup metrics. */
export function makeBackupReader(
  config: Config,
  path: string,
  { backups }: { backups: Pick<BackupRecords, 'list'> },
) {
  const loading = import('./backup-state.ts').then((loaded) => ({
    place: loaded.backupPlaceOf(config, path),
    readState: loaded.makeReadBackupState(),
  }));
  return {
    list: backups.list,
    async stateOf(record: BackupRecord) {
      const { place, readState } = await loading;
      return isOwnBackup(record, place) ? readState(record) : undefined;
    },
    intervalS: config.backup.intervalH * 3_600,
  };
}

/** Returns no job, and does not load the backup modules, if no backup folder is set. */
export async function makeBackupTurns(
  config: Config,
  {
    backups: records,
    backupFailureReports: failureReports,
    withLease,
    clock,
    readTrustedTime,
    loadTables,
  }: Deps,
  { log, observeFailure }: { log: Log; observeFailure: () => void },
) {
  const { folder: path, intervalH, keep, passphrase } = config.backup;
  if (path === undefined) return {};
  const [{ makeScheduledBackup }, { makeBackupFolder }, { makeBackupsTurn }] = await Promise.all([
    import('./scheduled-backups.ts'),
    import('./backup-folder.ts'),
    import('./backup-turn.ts'),
  ]);
  const backUpIfDue = makeScheduledBackup({
    records,
    folder: makeBackupFolder(config, {
      declared: await loadTables(),
      path,
      passphrase,
      release: VERSION,
      clock,
    }),
    failureReports,
    plan: { intervalMs: intervalH * 3_600_000, keep },
    clock,
    readTrustedTime,
    log,
  });
  return { backups: makeBackupsTurn({ backUpIfDue, withLease, observeFailure, failureReports, clock, log }) };
}
