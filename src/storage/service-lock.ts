// Prevents a second service from running on the same data folder. The lock is a file lock of the operating system,
// which releases it when the process ends for any reason.

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

/** Returns the function that releases the lock. */
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
