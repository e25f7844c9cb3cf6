// Rules for the data folder: who can access it and its files, and how much space is left on its disk.

import { errorReason } from '../../platform/values/database-error.ts';
import { errorCodeOf, errorPathOf } from '../../platform/values/file-error.ts';
import { type Finding, fault, passed, warning } from './finding.ts';

const MB = 1_000_000;
const MIN_FREE_BYTES = 200 * MB;
const MIN_FREE_PERCENT = 5;
/** This much free space is enough, even if it is less than `MIN_FREE_PERCENT` of a large disk. */
const ALWAYS_ENOUGH_BYTES = 20_000 * MB;
const OTHERS = 0o077;

/** `mode`: the access rights. `error`: the folder, or a file in it that the service writes, cannot be used. */
export type FolderFacts = 'missing' | 'file' | { mode: number } | { error: unknown };

/** On PostgreSQL the folder may be read-only, because only simulated sites write to it. */
export function judgeFolder(
  facts: FolderFacts,
  { path, isOnPostgres }: { path: string; isOnPostgres: boolean },
): Finding {
  if (facts === 'missing') return fault({ kind: 'folder-missing', path });
  if (facts === 'file') return fault({ kind: 'folder-is-file', path });
  if ('mode' in facts)
    return isOpenToOthers(facts.mode)
      ? warning({ kind: 'folder-open', path })
      : passed({ kind: 'folder-ok', path });
  const code = errorCodeOf(facts.error) ?? errorReason(facts.error);
  if (code !== 'EROFS') return fault({ kind: 'folder-locked', path: errorPathOf(facts.error) ?? path, code });
  return isOnPostgres ? passed({ kind: 'folder-ok', path }) : fault({ kind: 'folder-read-only', path });
}

export function judgeSpace(path: string, space: { freeBytes: number; totalBytes: number }): Finding {
  const { freeBytes, totalBytes } = space;
  const percent = totalBytes > 0 ? Math.floor((100 * freeBytes) / totalBytes) : 100;
  const facts = { path, freeMb: Math.floor(freeBytes / MB), percent };
  if (freeBytes < MIN_FREE_BYTES) return fault({ kind: 'disk-full', ...facts });
  return percent < MIN_FREE_PERCENT && freeBytes < ALWAYS_ENOUGH_BYTES
    ? warning({ kind: 'disk-low', ...facts })
    : passed({ kind: 'disk-ok', ...facts });
}

/** A file that contains secrets. */
export interface SecretFile {
  file: 'secret' | 'database';
  path: string;
  folder: string;
  mode: number;
  /** True if root runs this process, and file and folder have different owners: perhaps the service cannot read it. */
  isOfOtherUser: boolean;
}

export function judgeFiles(files: SecretFile[]): Finding[] {
  return files.flatMap(({ mode, isOfOtherUser, ...facts }) => {
    if (isOpenToOthers(mode)) return fault({ kind: 'file-readable', ...facts });
    return isOfOtherUser ? warning({ kind: 'file-of-other-user', ...facts }) : [];
  });
}

function isOpenToOthers(mode: number): boolean {
  return (mode & OTHERS) !== 0;
}
