// Reads who can access the data folder and its files, how much space is left on its disk, and whether the SQLite file
// in it has damaged pages.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../platform/config/config.ts';
import type { CheckedFilePages } from '../../platform/database/sqlite/find-damage.ts';
import { findDamage } from '../../platform/database/sqlite/find-damage.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { explainError } from './explain-error.ts';
import { type Finding, fault, type TerminalFinding } from './finding.ts';
import { type FolderFacts, judgeFolder, judgeSpace, type SecretFile } from './judge-data-folder.ts';

/**
 * Files that every process of the installation writes. They are checked one by one, because the errors of SQLite do not
 * say which file cannot be opened, and why.
 */
const WRITTEN_FILES = ['gastpass.sqlite', 'gastpass.sqlite-wal', 'gastpass.sqlite-shm', 'service.lock'];

export function examineFolder(config: Config): Finding {
  const { dataDir: path, database } = config;
  return judgeFolder(readFolder(config), { path, isOnPostgres: database !== undefined });
}

export function examineDisk({ dataDir }: Config): Finding {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  return judgeSpace(dataDir, { freeBytes: bavail * bsize, totalBytes: blocks * bsize });
}

function readFolder({ dataDir, database }: Config): FolderFacts {
  try {
    const folder = statSync(dataDir, { throwIfNoEntry: false });
    if (!folder) return 'missing';
    if (!folder.isDirectory()) return 'file';
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const written = database ? [] : WRITTEN_FILES.map((name) => join(dataDir, name));
    for (const path of written) if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
    return { mode: folder.mode };
  } catch (error) {
    return { error };
  }
}

/** The files that contain secrets. With PostgreSQL and a configured secret there are none. */
export function readSecretFiles({ dataDir, database, secret }: Config): SecretFile[] {
  return [
    ...(secret === undefined ? readSecretFile('secret', join(dataDir, 'secret'), dataDir) : []),
    ...(database ? [] : readSecretFile('database', join(dataDir, 'gastpass.sqlite'), dataDir)),
  ];
}

function readSecretFile(file: SecretFile['file'], path: string, folder: string): SecretFile[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return [];
  // Root can read every file, but the service may be unable to read a file that the folder's owner does not own.
  const isRoot = process.getuid?.() === 0;
  const isOfOtherUser = isRoot && found.uid !== statSync(folder).uid;
  return [{ file, path, folder, mode: found.mode, isOfOtherUser }];
}

export function checkPages({ dataDir }: Config): { pages: CheckedFilePages } | { fault: TerminalFinding } {
  try {
    const checked = findDamage(dataDir);
    if ('pages' in checked) return checked;
    const path = join(dataDir, 'gastpass.sqlite');
    return { fault: fault({ kind: 'database-damaged', path, detail: toOneLine(checked.found) }) };
  } catch (error) {
    return { fault: fault({ kind: 'not-opened', what: 'database', detail: explainError(error) }) };
  }
}
