// Reads what decides whether the SQLite file stores records safely: its journal and the file system.

import { existsSync, statfsSync, statSync } from 'node:fs';
import { connectSqlite, guarded, sqliteFileIn } from './connection.ts';

export interface FileFacts {
  /** Undefined for an ordinary file system on a disk. */
  fileSystem: string | undefined;
  version: string;
  journalMode: string;
  bytes: number;
  walBytes: number;
}

/** The numbers of file systems that matter here, as statfs(2) returns them on Linux. */
const FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlay'],
]);

export function readFileFacts(dataDir: string): FileFacts {
  const file = sqliteFileIn(dataDir);
  using connection = connectSqlite(file, { readOnly: true });
  const ask = (sql: string) => Object.values(guarded(() => connection.raw.prepare(sql).get()) ?? {})[0];
  return {
    fileSystem: FILE_SYSTEMS.get(statfsSync(dataDir).type),
    version: String(ask('select sqlite_version()')),
    journalMode: String(ask('pragma journal_mode')),
    bytes: statSync(file).size,
    walBytes: existsSync(`${file}-wal`) ? statSync(`${file}-wal`).size : 0,
  };
}
