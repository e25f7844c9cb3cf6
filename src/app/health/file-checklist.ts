// The checklist of `gastpass doctor --database` on SQLite: whether the file and the disk under it keep the records.

import type { Config } from '../../config/config.ts';
import { reasonOf } from '../../domain/database-error.ts';
import type { Finding } from '../../domain/health/finding.ts';
import type { AnyFinding, TerminalFact } from '../../domain/health/terminal-fact.ts';
import { expectFile } from '../../storage/open-storage.ts';
import { type FileFacts, readFileFacts } from '../../storage/sqlite/file-facts.ts';
import { makeAttempt } from './attempt.ts';
import { examinePages } from './database.ts';
import { examineDisk, examineFiles, examineFolder } from './files.ts';
import { fault, ok, warning } from './finding.ts';

const attempt = makeAttempt(60_000);

const MB = 1_000_000;
/** The service cuts the journal at 67 MB, unless a reader keeps it from doing so. */
const LARGE_WAL_BYTES = 500 * MB;
const FULL = 2;

export async function examineDatabaseFile(config: Config): Promise<AnyFinding[]> {
  const { dataDir } = config;
  const folder = examineFolder(config);
  if (folder.state === 'fault') return [folder];
  try {
    expectFile(dataDir);
  } catch (error) {
    const missing = fault({ kind: 'not-opened', what: 'database', detail: reasonOf(error) });
    return [folder, examineDisk(dataDir), missing];
  }
  const checked = examinePages(config);
  const first = [folder, examineDisk(dataDir), ...examineFiles(config)];
  if ('fault' in checked) return [...first, checked.fault];
  return [
    ...first,
    ok({ kind: 'file-ok', pages: checked.pages }),
    ...(await attempt('file', async () => judgeFile(readFileFacts(dataDir), dataDir))),
  ];
}

export function judgeFile(facts: FileFacts, folder: string): Finding<TerminalFact>[] {
  const { fileSystem, version, journalMode, synchronous, bytes, walBytes: journalBytes } = facts;
  return [
    judgeFileSystem(fileSystem, folder),
    journalMode === 'wal'
      ? ok({ kind: 'journal-ok', version })
      : fault({ kind: 'journal-other', mode: journalMode, folder }),
    synchronous === FULL
      ? ok({ kind: 'sync-to-disk-ok' })
      : fault({ kind: 'sync-to-disk-other', synchronous, expected: FULL }),
    journalBytes > LARGE_WAL_BYTES
      ? warning({ kind: 'journal-large', bytes, journalBytes })
      : ok({ kind: 'size-ok', bytes, journalBytes }),
  ];
}

function judgeFileSystem(name: string | undefined, folder: string): Finding<TerminalFact> {
  if (name === undefined) return ok({ kind: 'file-system-ok' });
  if (name === 'tmpfs') return fault({ kind: 'file-system-lost', name, folder });
  if (name === 'overlay') return warning({ kind: 'file-system-lost', name, folder });
  if (name === 'FUSE' || name === '9P') return warning({ kind: 'file-system-doubtful', name, folder });
  return fault({ kind: 'file-system-unsafe', name, folder });
}
