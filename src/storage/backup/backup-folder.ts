// The folder that the service writes its backups to. A backup is read again before it counts.

import { rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { BACKUP_NAME, type BackupFolder } from '../../domain/backups/scheduled-backups.ts';
import type { Clock } from '../../domain/clock.ts';
import { makeDataFolder } from '../data-folder.ts';
import type { StorageLocation } from '../open-storage.ts';
import { backupPlaceOf, makeReadBackupState } from './backup-state.ts';
import { backUpToFile } from './create-backup.ts';
import { readBackup } from './read-backup.ts';
import { partialOf } from './write-file.ts';

/** Requests are served between two pages. */
const PAUSE_MS = 2;

interface Options {
  path: string;
  passphrase: string | undefined;
  release: string;
  clock: Clock;
}

export function makeBackupFolder(
  place: StorageLocation,
  { path, passphrase, release, clock }: Options,
): BackupFolder {
  return {
    ...backupPlaceOf(place, path),
    stateOf: makeReadBackupState(),
    async write(name, signal) {
      // Other folders are not created: the disk for the backups may not be mounted.
      if (path.startsWith(place.dataDir + sep)) makeDataFolder(path);
      const file = join(path, name);
      const nowMs = clock.nowMs();
      const { bytes } = await backUpToFile(place, file, {
        passphrase,
        release,
        nowMs,
        signal,
        pauseMs: PAUSE_MS,
      });
      try {
        await readBackup(file, { signal });
      } catch (error) {
        rmSync(file, { force: true });
        throw error;
      }
      return { bytes };
    },
    async delete(name) {
      // The records come from the database: a damaged one must not delete anything else.
      if (!BACKUP_NAME.test(name)) return;
      const file = join(path, name);
      for (const each of [file, partialOf(file)]) rmSync(each, { force: true });
    },
  };
}
