// Rules for the database that the service uses: whether it can be written, and whether the SQLite file and its file
// system store the records safely.

import type { FileFacts } from '../../platform/database/sqlite/file-facts.ts';
import type { CheckedFilePages } from '../../platform/database/sqlite/find-damage.ts';
import type { StorageErrorReason } from '../../platform/database/tally-storage-errors.ts';
import { type Finding, fault, passed, type TerminalFinding, warning } from './finding.ts';

const MB = 1_000_000;
/** The service truncates the journal at 67 MB, unless a reader prevents that. So a much larger journal is reported. */
const LARGE_WAL_BYTES = 500 * MB;

export interface WriteFacts {
  /** The error of an attempt to write, if it failed. */
  detail?: string;
  /** The disk error of this attempt, or of another write within the last minute. */
  reason: StorageErrorReason | undefined;
}

export function judgeWriting({ detail, reason }: WriteFacts, pages: CheckedFilePages): Finding {
  if (reason) return fault({ kind: 'database-disk', reason, ...(detail !== undefined && { detail }) });
  return detail === undefined
    ? passed({ kind: 'database-ok', pages })
    : fault({ kind: 'database-unwritable', detail });
}

export function judgeDatabaseFile(facts: FileFacts, folder: string): TerminalFinding[] {
  const { fileSystem, version, journalMode, bytes, walBytes: journalBytes } = facts;
  return [
    judgeFileSystem(fileSystem, folder),
    journalMode === 'wal'
      ? passed({ kind: 'journal-ok', version })
      : fault({ kind: 'journal-other', mode: journalMode, folder }),
    journalBytes > LARGE_WAL_BYTES
      ? warning({ kind: 'journal-large', bytes, journalBytes })
      : passed({ kind: 'size-ok', bytes, journalBytes }),
  ];
}

function judgeFileSystem(name: string | undefined, folder: string): TerminalFinding {
  if (name === undefined) return passed({ kind: 'file-system-ok' });
  if (name === 'tmpfs') return fault({ kind: 'file-system-lost', name, folder });
  if (name === 'overlay') return warning({ kind: 'file-system-lost', name, folder });
  if (name === 'FUSE' || name === '9P') return warning({ kind: 'file-system-doubtful', name, folder });
  return fault({ kind: 'file-system-unsafe', name, folder });
}
