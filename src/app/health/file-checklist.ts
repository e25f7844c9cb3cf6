// The checklist of `gastpass doctor --database` on SQLite: whether the file and the disk under it keep the records.

import type { Config } from '../../config/config.ts';
import { expectFile } from '../../storage/open-storage.ts';
import { type FileFacts, readFileFacts } from '../../storage/sqlite/file-facts.ts';
import { makeAttempt } from './attempt.ts';
import { examinePages } from './database.ts';
import { examineDisk, examineFiles, examineFolder } from './files.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';

const attempt = makeAttempt(60_000);

const MB = 1_000_000;
/** The service cuts the journal at 67 MB, unless a reader keeps it from doing so. */
const LARGE_WAL_BYTES = 500 * MB;
const FULL = 2;

export async function examineDatabaseFile(config: Config): Promise<Finding[]> {
  const { dataDir } = config;
  const folder = examineFolder(config);
  if (folder.state === 'fault') return [folder];
  try {
    expectFile(dataDir);
  } catch (error) {
    return [folder, examineDisk(dataDir), fault('database', reasonOf(error))];
  }
  const pages = examinePages(config);
  return [
    folder,
    examineDisk(dataDir),
    ...examineFiles(config),
    'fault' in pages ? pages.fault : ok('database', `can be read${pages.note}`),
    ...('fault' in pages
      ? []
      : await attempt('file', async () => judgeFile(readFileFacts(dataDir), dataDir))),
  ];
}

export function judgeFile(facts: FileFacts, dataDir: string): Finding[] {
  const { fileSystem, version, journalMode, synchronous, bytes, walBytes } = facts;
  const size = (count: number) => `${(count / MB).toFixed(1)} MB`;
  return [
    judgeFileSystem(fileSystem, dataDir),
    journalMode === 'wal'
      ? ok('journal mode', `wal, SQLite ${version}`)
      : fault('journal mode', `${journalMode} instead of wal: move ${dataDir} to a local disk`),
    synchronous === FULL
      ? ok('synchronous', 'full: every commit waits for the disk')
      : fault('synchronous', `${synchronous} instead of ${FULL} (full): report this to the project`),
    walBytes > LARGE_WAL_BYTES
      ? warning(
          'size',
          `the journal has ${size(walBytes)}: end programs that keep the database open, such as sqlite3`,
        )
      : ok('size', `${size(bytes)}, journal ${size(walBytes)}`),
  ];
}

function judgeFileSystem(fileSystem: string | undefined, dataDir: string): Finding {
  const about = 'file system';
  if (fileSystem === undefined) return ok(about, 'a disk of this machine');
  if (fileSystem === 'tmpfs')
    return fault(
      about,
      `${dataDir} is in memory (tmpfs) and lost at the next restart: set DATA_DIR to a disk`,
    );
  if (fileSystem === 'overlay')
    return warning(
      about,
      `${dataDir} is in a container's own layer and lost with the container: mount a volume there`,
    );
  if (fileSystem === 'FUSE' || fileSystem === '9P')
    return warning(
      about,
      `${dataDir} is on ${fileSystem}, which may not lock and sync: use a disk of this machine`,
    );
  return fault(
    about,
    `${dataDir} is on ${fileSystem}, where SQLite can lose records: use a disk of this machine, or PostgreSQL`,
  );
}
