// The folder that the service writes its backups to. Each new backup is read again, to check it.

import { rmSync } from 'node:fs';
import { join, sep } from 'node:path';
import { makeDataFolder } from '../database/data-folder.ts';
import type { StorageLocation } from '../database/open-storage.ts';
import type { TableDeclarations } from '../database/tables/table-declarations.ts';
import type { Clock } from '../time/clock.ts';
import { backupPlaceOf, makeReadBackupState } from './backup-state.ts';
import { backUpToFile } from './create-backup.ts';
import { readBackup } from './read-backup.ts';
import { BACKUP_NAME, type BackupFolder } from './scheduled-backups.ts';
import { partialOf } from './write-file.ts';

/** The pause after each page of rows, so that requests are served in between. */
const PAUSE_MS = 2;

interface Options {
  declared: TableDeclarations;
  path: string;
  passphrase: string | undefined;
  release: string;
  clock: Clock;
}

export function makeBackupFolder(
  place: StorageLocation,
  { declared, path, passphrase, release, clock }: Options,
): BackupFolder {
  return {
    ...backupPlaceOf(place, path),
    stateOf: makeReadBackupState(),
    async write(name, signal) {
      // A folder outside of the data folder is not created. If it is missing, its disk may not be mounted.
      if (path.startsWith(place.dataDir + sep)) makeDataFolder(path);
      const file = join(path, name);
      const nowMs = clock.nowMs();
      const { bytes } = await backUpToFile(place, file, {
        declared,
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
      // The name comes from a record in the database. If the record is damaged, no other kind of file may be deleted.
      if (!BACKUP_NAME.test(name)) return;
      const file = join(path, name);
      for (const each of [file, partialOf(file)]) rmSync(each, { force: true });
    },
  };
}
