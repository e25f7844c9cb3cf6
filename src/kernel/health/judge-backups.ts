// Rules for the scheduled backups: whether they are made, how old the newest is, and whether its file is unchanged.

import type { BackupRecord, BackupState } from '../../platform/backup/scheduled-backups.ts';
import { errorReason } from '../../platform/values/database-error.ts';
import { errorCodeOf, errorPathOf } from '../../platform/values/file-error.ts';
import { isDemo, type Site } from '../sites/site.ts';
import { type Finding, fault, passed, warning } from './finding.ts';

const HOUR_MS = 60 * 60_000;

export type BackupFacts =
  | { kind: 'unscheduled'; sites: Pick<Site, 'controllerKind'>[] }
  | { kind: 'folder-unusable'; folder: string; error: unknown }
  | ScheduledFacts;

interface ScheduledFacts {
  kind: 'scheduled';
  folder: string;
  intervalH: number;
  newest: BackupRecord | undefined;
  /** The state of the newest backup; `intact` if this instance cannot see its file. */
  state: BackupState;
  /** Whether the secret that opens the sealed values of a backup is in the backup or in the settings. */
  hasSecret: boolean;
  /** Whether the folder and the SQLite database are on the same disk. False on PostgreSQL, where it is not known. */
  isOnSameDisk: boolean;
}

export function judgeBackups(facts: BackupFacts, nowMs: number): Finding[] {
  switch (facts.kind) {
    case 'unscheduled':
      // A demo needs no backup.
      return [
        facts.sites.some((site) => !isDemo(site))
          ? warning({ kind: 'backups-missing' })
          : passed({ kind: 'backups-off' }),
      ];
    case 'folder-unusable':
      return [judgeFolderError(facts)];
    case 'scheduled':
      return [
        judgeNewest(facts, nowMs),
        ...(facts.hasSecret ? [] : [warning({ kind: 'backups-without-secret' })]),
        ...(facts.isOnSameDisk ? [warning({ kind: 'backups-on-same-disk', folder: facts.folder })] : []),
      ];
  }
}

function judgeFolderError({ folder, error }: { folder: string; error: unknown }): Finding {
  const code = errorCodeOf(error) ?? errorReason(error);
  if (code === 'EROFS') return fault({ kind: 'backups-read-only', folder });
  if (code === 'ENOENT') return fault({ kind: 'backups-no-folder', folder });
  return fault({ kind: 'backups-locked', path: errorPathOf(error) ?? folder, code });
}

function judgeNewest({ folder, intervalH, newest, state }: ScheduledFacts, nowMs: number): Finding {
  if (!newest) return warning({ kind: 'backups-none', folder });
  const path = `${newest.folder}/${newest.name}`;
  if (state === 'unreadable') return fault({ kind: 'backup-unread', path });
  if (state !== 'intact') return fault({ kind: 'backup-changed', path });
  const facts = { newestAtMs: newest.startedAtMs, path };
  const ageMs = nowMs - newest.startedAtMs;
  if (ageMs < -HOUR_MS) return warning({ kind: 'backups-future', ...facts });
  return ageMs > 2 * intervalH * HOUR_MS
    ? fault({ kind: 'backups-late', ...facts })
    : passed({ kind: 'backups-ok', ...facts });
}
