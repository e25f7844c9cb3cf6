// Checks whether the file of a backup exists and has the recorded size. Does not wait long for a disk that hangs.

import { stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { StorageLocation } from '../database/open-storage.ts';
import { errorCodeOf } from '../values/file-error.ts';
import type { BackupPlace, BackupRecord, BackupState } from './scheduled-backups.ts';

const PATIENCE_MS = 2_000;

/** The host is needed only on PostgreSQL, where instances on other machines may have a folder of the same name. */
export function backupPlaceOf({ database }: Pick<StorageLocation, 'database'>, path: string): BackupPlace {
  return { path, host: database && hostname() };
}

export type ReadBackupState = (record: BackupRecord) => Promise<BackupState>;

/** Callers share a running check of the same file, because each check occupies a thread while the disk hangs. */
export function makeReadBackupState(): ReadBackupState {
  const looks = new Map<string, Promise<BackupState>>();
  return async function readBackupState(record) {
    const file = join(record.folder, record.name);
    const look = looks.get(file) ?? lookAt(record).finally(() => looks.delete(file));
    looks.set(file, look);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<BackupState>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, 'unreadable');
    });
    return Promise.race([look, tooLate]).finally(() => clearTimeout(timer));
  };
}

async function lookAt({ folder, name, bytes }: BackupRecord): Promise<BackupState> {
  try {
    return (await stat(join(folder, name))).size === bytes ? 'intact' : 'changed';
  } catch (error) {
    return errorCodeOf(error) === 'ENOENT' && (await isFolder(folder)) ? 'gone' : 'unreadable';
  }
}

/** If the folder is missing, its disk may not be mounted. A backup in it then does not count as deleted. */
async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
}
