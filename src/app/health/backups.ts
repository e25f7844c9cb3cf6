// Examines the scheduled backups: whether they are made, how old the newest is, whether its file is as it was made, and
// whether it can be restored.

import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import type { BackupSettings, Config } from '../../config/config.ts';
import {
  type BackupRecord,
  type BackupState,
  isOwnBackup,
  newestBackup,
} from '../../domain/backups/scheduled-backups.ts';
import { reasonOf } from '../../domain/database-error.ts';
import { errorCodeOf, errorPathOf } from '../../domain/file-error.ts';
import type { Finding } from '../../domain/health/finding.ts';
import { isDemo, type Site } from '../../domain/sites/site.ts';
import { backupPlaceOf, makeReadBackupState } from '../../storage/backup/backup-state.ts';
import type { Installation } from '../installation.ts';
import { fault, ok, warning } from './finding.ts';

const HOUR_MS = 60 * 60_000;

const pathOf = ({ folder, name }: BackupRecord) => join(folder, name);

export async function examineBackups(
  { backups, sites, clock }: Pick<Installation, 'backups' | 'sites' | 'clock'>,
  { backup, secret, database }: Config,
): Promise<Finding[]> {
  const { folder, passphrase } = backup;
  if (folder === undefined) {
    // If sealed values cannot be opened, the sites cannot be read. Another finding reports this.
    return [judgeUnscheduled(await sites.list().catch(() => []))];
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [judgeBackupFolder(error, folder)];
  }
  const newest = newestBackup(await backups.list());
  const isOwn = newest && isOwnBackup(newest, backupPlaceOf({ database }, folder));
  const state = isOwn ? await makeReadBackupState()(newest) : 'intact';
  const findings: Finding[] = [
    judgeState(newest, state) ??
      judgeAge(newest, { folder, intervalH: backup.intervalH, nowMs: clock.nowMs() }),
  ];
  if (passphrase === undefined && secret === undefined)
    findings.push(warning({ kind: 'backups-without-secret' }));
  return findings;
}

export function judgeBackupFolder(error: unknown, folder: string): Finding {
  const code = errorCodeOf(error) ?? reasonOf(error);
  if (code === 'EROFS') return fault({ kind: 'backups-read-only', folder });
  if (code === 'ENOENT') return fault({ kind: 'backups-no-folder', folder });
  return fault({ kind: 'backups-locked', path: errorPathOf(error) ?? folder, code });
}

/** Warns only if a site has a real controller: a demo needs no backup. */
export function judgeUnscheduled(sites: Pick<Site, 'controllerKind'>[]): Finding {
  return sites.some((site) => !isDemo(site))
    ? warning({ kind: 'backups-missing' })
    : ok({ kind: 'backups-off' });
}

export function judgeAge(
  newest: BackupRecord | undefined,
  { folder, intervalH, nowMs }: Pick<BackupSettings, 'intervalH'> & { folder: string; nowMs: number },
): Finding {
  if (!newest) return warning({ kind: 'backups-none', folder });
  const { startedAtMs: newestAtMs } = newest;
  const facts = { newestAtMs, path: pathOf(newest) };
  const ageMs = nowMs - newestAtMs;
  if (ageMs < -HOUR_MS) return warning({ kind: 'backups-future', ...facts });
  return ageMs > 2 * intervalH * HOUR_MS
    ? fault({ kind: 'backups-late', ...facts })
    : ok({ kind: 'backups-ok', ...facts });
}

export function judgeState(newest: BackupRecord | undefined, state: BackupState): Finding | undefined {
  if (!newest || state === 'intact') return undefined;
  return fault({ kind: state === 'unreadable' ? 'backup-unread' : 'backup-changed', path: pathOf(newest) });
}
