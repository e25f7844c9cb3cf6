// Examines the data folder: who can access it and its files, and how much space is left on its disk.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { reasonOf } from '../../domain/database-error.ts';
import { errorCodeOf, errorPathOf } from '../../domain/file-error.ts';
import type { Finding } from '../../domain/health/finding.ts';
import { fault, ok, warning } from './finding.ts';

const MB = 1_000_000;
const MIN_FREE_BYTES = 200 * MB;
const MIN_FREE_PERCENT = 5;
/** A large disk has enough space even if less than the percentage above is free. */
const ALWAYS_ENOUGH_BYTES = 20_000 * MB;
const OTHERS = 0o077;

/** Files that every process of the installation writes. SQLite does not say which of them it cannot open, and why. */
const WRITTEN_FILES = ['gastpass.sqlite', 'gastpass.sqlite-wal', 'gastpass.sqlite-shm', 'service.lock'];

export function examineFolder(config: Config): Finding {
  const { dataDir: path, database } = config;
  try {
    const folder = statSync(path, { throwIfNoEntry: false });
    if (!folder) return fault({ kind: 'folder-missing', path });
    if (!folder.isDirectory()) return fault({ kind: 'folder-is-file', path });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!database) for (const name of WRITTEN_FILES) expectAccess(join(path, name));
    return (folder.mode & OTHERS) === 0
      ? ok({ kind: 'folder-ok', path })
      : warning({ kind: 'folder-open', path });
  } catch (error) {
    return judgeFolderError(error, config);
  }
}

/** On PostgreSQL the folder may be read-only: only simulated sites write there. */
export function judgeFolderError(
  error: unknown,
  { dataDir: path, database }: Pick<Config, 'dataDir' | 'database'>,
): Finding {
  const code = errorCodeOf(error) ?? reasonOf(error);
  if (code !== 'EROFS') return fault({ kind: 'folder-locked', path: errorPathOf(error) ?? path, code });
  return database ? ok({ kind: 'folder-ok', path }) : fault({ kind: 'folder-read-only', path });
}

function expectAccess(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}

export function examineDisk(dataDir: string): Finding {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  return judgeSpace(dataDir, { freeBytes: bavail * bsize, totalBytes: blocks * bsize });
}

export function judgeSpace(dataDir: string, space: { freeBytes: number; totalBytes: number }): Finding {
  const { freeBytes, totalBytes } = space;
  const percent = totalBytes > 0 ? Math.floor((100 * freeBytes) / totalBytes) : 100;
  const facts = { path: dataDir, freeMb: Math.floor(freeBytes / MB), percent };
  if (freeBytes < MIN_FREE_BYTES) return fault({ kind: 'disk-full', ...facts });
  return percent < MIN_FREE_PERCENT && freeBytes < ALWAYS_ENOUGH_BYTES
    ? warning({ kind: 'disk-low', ...facts })
    : ok({ kind: 'disk-ok', ...facts });
}

/** The files that contain secrets. With PostgreSQL and a configured secret there are none. */
export function examineFiles({ dataDir, database, secret }: Config): Finding[] {
  const findings: Finding[] = [];
  if (secret === undefined) findings.push(...examineFile('secret', join(dataDir, 'secret'), dataDir));
  if (!database) findings.push(...examineFile('database', join(dataDir, 'gastpass.sqlite'), dataDir));
  return findings;
}

function examineFile(name: 'secret' | 'database', path: string, folder: string): Finding[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) return [];
  const facts = { file: name, path, folder };
  if ((file.mode & OTHERS) !== 0) return [fault({ kind: 'file-readable', ...facts })];
  // Root can read the file of any user, and would not notice that the service cannot.
  const isRoot = process.getuid?.() === 0;
  return isRoot && file.uid !== statSync(folder).uid
    ? [warning({ kind: 'file-of-other-user', ...facts })]
    : [];
}
