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
import { errorCodeOf } from '../../domain/file-error.ts';
import { isDemo, type Site } from '../../domain/sites/site.ts';
import { backupPlaceOf, makeReadBackupState } from '../../storage/backup/backup-state.ts';
import type { Installation } from '../installation.ts';
import { explainError } from './explain-error.ts';
import { type Finding, fault, ok, sayDuration, sayTime, warning } from './finding.ts';

const HOUR_MS = 60 * 60_000;
const ABOUT = 'backups';
const LOG = 'search its log for "backup failed"';

export async function examineBackups(
  { backups, sites, clock }: Pick<Installation, 'backups' | 'sites' | 'clock'>,
  { backup, secret, dataDir, database }: Config,
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
  const findings = [
    judgeState(newest, state) ??
      judgeAge(newest, { folder, intervalH: backup.intervalH, nowMs: clock.nowMs() }),
  ];
  if (passphrase === undefined && secret === undefined)
    findings.push(
      warning(
        ABOUT,
        `they do not contain the secret: set BACKUP_PASSPHRASE_FILE, or keep a copy of ${join(dataDir, 'secret')} elsewhere`,
        { kind: 'backups-without-secret' },
      ),
    );
  return findings;
}

export function judgeBackupFolder(error: unknown, folder: string): Finding {
  const code = errorCodeOf(error);
  if (code === 'EROFS') return fault(ABOUT, explainError(error), { kind: 'backups-read-only', folder });
  const text =
    code === 'ENOENT'
      ? `${folder} does not exist: mount it, or create it for the service's user with mode 700`
      : explainError(error);
  return fault(ABOUT, text, { kind: 'backups-no-folder', folder });
}

/** Warns only if a site has a real controller: a demo needs no backup. */
export function judgeUnscheduled(sites: Pick<Site, 'controllerKind'>[]): Finding {
  const isReal = sites.some((site) => !isDemo(site));
  return (isReal ? warning : ok)(
    ABOUT,
    'not scheduled: set BACKUP_DIR, or back up in another way (docs/backup.md)',
    {
      kind: isReal ? 'backups-missing' : 'backups-off',
    },
  );
}

export function judgeAge(
  newest: BackupRecord | undefined,
  { folder, intervalH, nowMs }: Pick<BackupSettings, 'intervalH'> & { folder: string; nowMs: number },
): Finding {
  if (!newest)
    return warning(
      ABOUT,
      `there is none in ${folder} yet: the running service makes one at once; if not, ${LOG}`,
      { kind: 'backups-none', folder },
    );
  const { startedAtMs: newestAtMs } = newest;
  const ageMs = nowMs - newestAtMs;
  if (ageMs < -HOUR_MS)
    return warning(
      ABOUT,
      `the newest is dated ${sayTime(newestAtMs)}, which is in the future: correct the clock`,
      { kind: 'backups-future', newestAtMs },
    );
  const age = `the newest is ${sayDuration(Math.max(0, ageMs))} old`;
  return ageMs > 2 * intervalH * HOUR_MS
    ? fault(ABOUT, `${age}, although one is due every ${intervalH} h: start the service, and ${LOG}`, {
        kind: 'backups-late',
        newestAtMs,
      })
    : ok(ABOUT, `${age} (${join(newest.folder, newest.name)})`, { kind: 'backups-ok', newestAtMs });
}

export function judgeState(newest: BackupRecord | undefined, state: BackupState): Finding | undefined {
  if (!newest || state === 'intact') return undefined;
  const path = join(newest.folder, newest.name);
  if (state === 'unreadable')
    return fault(ABOUT, `${path} cannot be read: check the disk of the folder`, {
      kind: 'backup-unread',
      path,
    });
  const what = state === 'gone' ? 'is gone' : 'has another size than when it was made';
  return fault(
    ABOUT,
    `${path} ${what}: the running service makes a new one within a minute; do not change files there, copy them`,
    { kind: 'backup-changed', path },
  );
}
