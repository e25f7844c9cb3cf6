// Examines the data folder: who can access it and its files, and how much space is left on its disk.

import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { errorCodeOf } from '../../domain/file-error.ts';
import { explainError } from './explain-error.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const MB = 1_000_000;
const MIN_FREE_BYTES = 200 * MB;
const MIN_FREE_PERCENT = 5;
/** A large disk has enough space even if less than the percentage above is free. */
const ALWAYS_ENOUGH_BYTES = 20_000 * MB;
const OTHERS = 0o077;
const ABOUT = 'data folder';

/** Files that every process of the installation writes. SQLite does not say which of them it cannot open, and why. */
const WRITTEN_FILES = ['gastpass.sqlite', 'gastpass.sqlite-wal', 'gastpass.sqlite-shm', 'service.lock'];

export function examineFolder(config: Config): Finding {
  const { dataDir: path, database } = config;
  try {
    const folder = statSync(path, { throwIfNoEntry: false });
    if (!folder)
      return fault(ABOUT, `${path} does not exist: start the service once, or set DATA_DIR`, {
        kind: 'folder-missing',
        path,
      });
    if (!folder.isDirectory())
      return fault(ABOUT, `${path} is not a folder: move it away, or set DATA_DIR`, {
        kind: 'folder-locked',
        path,
      });
    accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
    if (!database) for (const name of WRITTEN_FILES) expectAccess(join(path, name));
    return (folder.mode & OTHERS) === 0
      ? ok(ABOUT, path, { kind: 'folder-ok', path })
      : warning(ABOUT, `${path} is open to other users: chmod 700 ${path}`, { kind: 'folder-open', path });
  } catch (error) {
    return judgeFolderError(error, config);
  }
}

/** On PostgreSQL the folder may be read-only: only simulated sites write there. */
export function judgeFolderError(
  error: unknown,
  { dataDir: path, database }: Pick<Config, 'dataDir' | 'database'>,
): Finding {
  const isReadOnly = errorCodeOf(error) === 'EROFS';
  return isReadOnly && database
    ? ok(ABOUT, `${path}, read-only`, { kind: 'folder-ok', path })
    : fault(ABOUT, explainError(error), { kind: isReadOnly ? 'folder-read-only' : 'folder-locked', path });
}

function expectAccess(path: string): void {
  if (existsSync(path)) accessSync(path, constants.R_OK | constants.W_OK);
}

/** In the service the Node that it runs on, in a command the installed one. */
export function examineNode(): Finding {
  const { node: version } = process.versions;
  return ok('Node', `${version}; a running service keeps the one that it was started with`, {
    kind: 'node-ok',
    version,
  });
}

export function examineDisk(dataDir: string): Finding {
  const { bavail, blocks, bsize } = statfsSync(dataDir);
  return judgeSpace(dataDir, { freeBytes: bavail * bsize, totalBytes: blocks * bsize });
}

export function judgeSpace(dataDir: string, space: { freeBytes: number; totalBytes: number }): Finding {
  const { freeBytes, totalBytes } = space;
  const percent = totalBytes > 0 ? Math.floor((100 * freeBytes) / totalBytes) : 100;
  const facts = { path: dataDir, freeMb: Math.floor(freeBytes / MB), percent };
  const free = `${facts.freeMb} MB (${percent} %) free on the disk of ${dataDir}`;
  if (freeBytes < MIN_FREE_BYTES)
    return fault(
      'disk',
      `only ${free}: delete files there, or enlarge the disk; vouchers fail when it is full`,
      { kind: 'disk-full', ...facts },
    );
  return percent < MIN_FREE_PERCENT && freeBytes < ALWAYS_ENOUGH_BYTES
    ? warning('disk', `only ${free}: delete files there, or enlarge the disk`, { kind: 'disk-low', ...facts })
    : ok('disk', free, { kind: 'disk-ok', ...facts });
}

/** The files that contain secrets. With PostgreSQL and a configured secret there are none. */
export function examineFiles({ dataDir, database, secret }: Config): Finding[] {
  const findings: Finding[] = [];
  if (secret === undefined) findings.push(...examineFile('secret', join(dataDir, 'secret'), dataDir));
  if (!database) findings.push(...examineFile('database file', join(dataDir, 'gastpass.sqlite'), dataDir));
  return findings;
}

function examineFile(about: string, path: string, dataDir: string): Finding[] {
  const file = statSync(path, { throwIfNoEntry: false });
  if (!file) return [];
  const facts = { file: about === 'secret' ? 'secret' : 'database', path, folder: dataDir } as const;
  if ((file.mode & OTHERS) !== 0)
    return [
      fault(about, `${path} can be read by others: chmod 600 ${path}`, { kind: 'file-readable', ...facts }),
    ];
  // Root can read the file of any user, and would not notice that the service cannot.
  const isRoot = process.getuid?.() === 0;
  return isRoot && file.uid !== statSync(dataDir).uid
    ? [
        warning(
          about,
          `${path} belongs to another user than the data folder, who may not be able to read it: chown --reference=${dataDir} ${path}`,
          { kind: 'file-of-other-user', ...facts },
        ),
      ]
    : [];
}
