// Keeps a second service away from a data folder that is being served. The lock is the operating
// system's, held through an open file: it is gone the moment the process is, however it ends.

import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeDataFolder } from './data-folder.ts';
import { guarded, isBusy } from './sqlite/connection.ts';

export class AlreadyServed extends Error {
  constructor(dataDir: string) {
    super(`another service is running on the data folder ${dataDir}: stop it first, or set DATA_DIR`);
    this.name = 'AlreadyServed';
  }
}

/** Gives the function that releases the lock. */
export function lockForService(dataDir: string): () => void {
  makeDataFolder(dataDir);
  const path = join(dataDir, 'service.lock');
  const file = new DatabaseSync(path, { timeout: 0 });
  chmodSync(path, 0o600);
  try {
    guarded(() => file.exec('pragma journal_mode = memory; begin exclusive'));
  } catch (error) {
    file.close();
    throw isBusy(error) ? new AlreadyServed(dataDir) : error;
  }
  return () => file.close();
}
